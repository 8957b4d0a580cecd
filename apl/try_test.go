package apl
import ("testing";"os";"github.com/tailor-lang/tailor/internal/diag";"fmt")
func TestTry(t *testing.T){
 b,_:=os.ReadFile(os.Getenv("TRY")); p,err:=Parse(diag.NewSource("try.apl",string(b)))
 if l,ok:=err.(diag.List);ok{for _,e:=range l{fmt.Print(e.Render())};return}
 fmt.Print(Text(p))
}
