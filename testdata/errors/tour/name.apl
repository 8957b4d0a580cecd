count←10
⎕←(+/⍳coutn)÷count
