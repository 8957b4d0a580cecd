// This file is here so that functions without a body can be declared.
