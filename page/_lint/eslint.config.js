import js from "@eslint/js";
import globals from "globals";

export default [
  { ignores: ["site/wasm_exec.js"] },
  {
    files: ["site/*.js"],
    ...js.configs.recommended,
    languageOptions: { ecmaVersion: "latest", sourceType: "module", globals: globals.browser },
    rules: {
      ...js.configs.recommended.rules,
      eqeqeq: "error", "no-var": "error", "prefer-const": "error", "no-unused-private-class-members": "error",
      "no-implicit-globals": "error", "no-shadow": "error", "no-eval": "error", "require-await": "error", curly: ["error", "multi-line"],
      "max-lines-per-function": ["error", 60], complexity: ["error", 15],
    },
  },
  { files: ["site/worker.js"], languageOptions: { sourceType: "script", globals: globals.worker }, rules: { "no-implicit-globals": "off" } },
];
