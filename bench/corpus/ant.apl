⍝ Langton's ant on a torus: a loop of control words over single cells
n←200
steps←3000 ⍝ size: test 3000, bench 3000000
∇ r←ant steps;g;x;y;dx;dy;t;k
  g←(n,n)⍴0
  x←y←n÷2
  dx←0 ⋄ dy←¯1
  :For k :In ⍳steps
      :If g[x;y]
          t←dx ⋄ dx←dy ⋄ dy←-t
      :Else
          t←dx ⋄ dx←-dy ⋄ dy←t
      :EndIf
      g[x;y]←~g[x;y]
      x←1+n|x+dx-1
      y←1+n|y+dy-1
  :EndFor
  r←(+/,g),x,y,+/∨/g
∇
ant steps
