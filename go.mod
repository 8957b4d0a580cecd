module github.com/tailor-lang/tailor

go 1.24
