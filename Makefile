# Tailor: make run | test | sanitize | sanitize-threads | bench | fuzz | lint
#
# Nothing but Go, git and make needs to be there: scripts/setup.sh installs what
# else is used where it may; without a C compiler programs run in the evaluator.

GO       ?= go
FUZZTIME ?= 10m
NAMES    ?=

.PHONY: all build page setup setup-test setup-whole run test test-all cross test-whole test-mutants oclgrind test-opencl test-passes sanitize sanitize-threads bench bench-products fuzz lint lint-page man dist test-package vscode clean

all: build

build:
	CGO_ENABLED=0 $(GO) build -o bin/tailor ./cmd/tailor

# The page that runs Tailor in a browser, and the documentation as pages with the same
# editor: page/site, all that a web server needs. A program that is built behind it serves
# them (tailor play).
page:
	CGO_ENABLED=0 GOOS=js GOARCH=wasm $(GO) build -tags minimal -trimpath -ldflags="-s -w" -o page/site/tailor.wasm ./cmd/page
	gzip -9 -n -f page/site/tailor.wasm
	cp "$$($(GO) env GOROOT)/lib/wasm/wasm_exec.js" page/site/wasm_exec.js
	CGO_ENABLED=0 $(GO) run ./cmd/site docs page/site/docs
	@ls -l page/site/tailor.wasm.gz

setup:
	@sh scripts/setup.sh run

setup-test:
	@sh scripts/setup.sh test

setup-whole:
	@sh scripts/setup.sh whole

# A program on a real input: the words of a text.
run: setup build
	@echo '$$ tailor run --time testdata/programs/wordcount.apl'
	@./bin/tailor run --time testdata/programs/wordcount.apl
	@echo '$$ tailor run --time testdata/programs/hotspot.apl'
	@./bin/tailor run --time testdata/programs/hotspot.apl

# The tests and the compiler of Go make much garbage that is soon dead: collecting
# it seldom takes a quarter of the processor time less, and more memory.
test test-whole: export GOGC = 400

# The tests of every day: all cases in the evaluators, samples of them in compiled
# code (internal/sampling says how). Vet is run once, not again with each package,
# and with the settings of the tests, whose packages it then shares. Without debug
# information test programs are linked in half the time.
test: setup-test
	CGO_ENABLED=0 $(GO) vet ./...
	CGO_ENABLED=0 $(GO) test -vet=off -ldflags=-w -timeout 20m ./...

# All cases, where make test takes samples.
test-whole: setup-whole
	TAILOR_TEST=all CGO_ENABLED=0 $(GO) test -vet=off -tags browser -count=1 -timeout 180m ./...

# Every program and case on the OpenCL device, under both schedules; make test
# takes a sample, because drivers compile kernels slowly.
test-opencl: setup-test
	TAILOR_TEST=all CGO_ENABLED=0 $(GO) test -timeout 60m ./opencl ./bench ./internal/golden -run "OpenCL|Kernel|Messages|NoDevice|Narrow" -v

# Every program and case without optimisation, and with each pass left out in
# turn; make test takes a sample.
test-passes: setup-test
	TAILOR_TEST=all CGO_ENABLED=0 $(GO) test -count=1 -timeout 120m ./internal/golden -run TestPassesOff -v

# Whether the tests find the faults of internal/mutants/mutants.txt.
test-mutants: setup-test
	TAILOR_TEST_MUTANTS=all CGO_ENABLED=0 $(GO) test -count=1 -timeout 0 ./internal/mutants -run TestMutants -v

# All that make test takes a sample of. test-whole has the tests of test-opencl and
# test-passes, too.
test-all: cross test-whole sanitize test-mutants oclgrind

# The systems that Tailor is built for, beside this one.
cross:
	for system in linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64 js/wasm; do \
		CGO_ENABLED=0 GOOS=$${system%/*} GOARCH=$${system#*/} $(GO) build -o /dev/null ./cmd/tailor || exit 1; \
	done
	CGO_ENABLED=0 $(GO) build -tags static -o /dev/null ./cmd/tailor

# Kernels of the library of FCL and of small programs in a simulator that looks for races and the like.
oclgrind: build setup-test
	@sh scripts/oclgrind.sh bin/tailor testdata/programs/signal.apl testdata/programs/primes.apl \
		testdata/programs/matmul.apl testdata/programs/life.apl bench/opencl/transpose.apl \
		testdata/opencl/grades.apl testdata/opencl/segments.apl testdata/opencl/complex.apl testdata/opencl/updates.apl

# Compiled programs under AddressSanitizer and UBSan.
sanitize: setup-test
	LSAN_OPTIONS=suppressions=$(CURDIR)/scripts/leaks.txt:print_suppressions=0 \
		TAILOR_TEST=all TAILOR_TEST_CFLAGS="-fsanitize=address,undefined -fno-sanitize-recover=undefined" \
		CGO_ENABLED=0 $(GO) test -vet=off -count=1 -timeout 180m ./internal/golden -run 'Cases|Programs|Expressions|Files|Threads'

# Compiled programs under ThreadSanitizer, every nest shared among 4 threads, by
# clang: its OpenMP library tells the sanitizer what it orders (Archer, in
# libomp-dev), gcc's does not, so that there it reports nothing but false alarms.
# Warnings are errors with gcc only: clang warns of variables that nothing reads.
sanitize-threads: setup-test
	CC=clang OMP_NUM_THREADS=4 OMP_WAIT_POLICY=passive OMP_TOOL_LIBRARIES=$$(ls /usr/lib/llvm-$$(clang -dumpversion | cut -d. -f1)/lib/libarcher.so) \
		TSAN_OPTIONS="ignore_noninstrumented_modules=1 halt_on_error=1" TAILOR_TEST=all TAILOR_TEST_CFLAGS="-g -fsanitize=thread -Wno-error" \
		CGO_ENABLED=0 $(GO) test -vet=off -count=1 -timeout 180m ./internal/golden -run '^Test(Threads|Cases|Programs)$$'

bench: setup build bench/data/words.txt
	./bin/tailor bench $(if $(NAMES),$(NAMES),--threads --growth --write)
	$(if $(NAMES),,./bin/tailor bench --size large --write)

# Inner products beside OpenBLAS (libopenblas-dev) and a loop in an interpreter.
bench-products: setup build
	@sh bench/products/run.sh bin/tailor

# The text of the word-count benchmark, 100 MB.
bench/data/words.txt: bench/data/words.c
	$(CC) -O2 -o bench/data/words $< && ./bench/data/words >$@

fuzz: setup-test
	$(GO) test ./apl -run '^$$' -fuzz '^FuzzParse$$' -fuzztime $(FUZZTIME)
	$(GO) test ./tail -run '^$$' -fuzz '^FuzzText$$' -fuzztime $(FUZZTIME)
	$(GO) test ./internal/format -run '^$$' -fuzz '^FuzzFormat$$' -fuzztime $(FUZZTIME)
	FUZZTIME=$(FUZZTIME) FUZZOPENCL=10 $(GO) test ./internal/fuzz -run '^(TestNoDifference|TestItems)$$' -timeout 0 -v
	COVERAGE_SWEEP=10000 COVERAGE_SEED=$$(date +%s) $(GO) test ./internal/coverage -run '^TestSweep$$' -timeout 0 -v

# Versions of the tools of make lint.
STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.6.1
GOVULNCHECK = golang.org/x/vuln/cmd/govulncheck@v1.1.4

# gofmt, vet, staticcheck, known vulnerabilities, races in the packages with
# goroutines, and the warnings of C compilers. Without a network the tools that
# are not installed, and the list of vulnerabilities, are skipped.
lint: lint-page
	@test -z "$$(gofmt -l .)" || { gofmt -l .; echo 'gofmt these files'; exit 1; }
	$(GO) vet ./...
	@if $(GO) run $(STATICCHECK) -version >/dev/null 2>&1; then \
		echo staticcheck ./...; $(GO) run $(STATICCHECK) ./...; \
	else echo "lint: staticcheck cannot be installed, skipped"; fi
	@out=$$($(GO) run $(GOVULNCHECK) ./... 2>&1); status=$$?; \
	case "$$out" in \
		*"fetching vulnerabilities"*|*"no such host"*|*"dial tcp"*) echo "lint: no list of vulnerabilities, skipped" ;; \
		*) echo "$$out"; exit $$status ;; \
	esac
	@if command -v gcc >/dev/null || command -v clang >/dev/null; then \
		echo "go test -race ./internal/driver ./internal/repl"; \
		CGO_ENABLED=1 $(GO) test -race -timeout 20m ./internal/driver ./internal/repl; \
	else echo "lint: no C compiler, which -race needs, skipped"; fi
	@for cc in gcc clang; do \
		command -v $$cc >/dev/null || { echo "lint: $$cc is not installed, skipped"; continue; }; \
		echo "$$cc -Wall -Wextra cgen/rt/rt.c"; \
		$$cc -std=gnu11 -O1 -fopenmp-simd -fwrapv -Wall -Wextra -Werror -fsyntax-only -Iinternal/formulas cgen/rt/rt.c || exit 1; \
	done

# The HTML, style and scripts of the page and the documentation, by linters from npm.
lint-page:
	@CGO_ENABLED=0 $(GO) run ./cmd/site docs page/site/docs
	@if command -v npm >/dev/null && { [ -d page/_lint/node_modules ] || npm ci --silent --prefix page/_lint; }; then \
		npm run --silent --prefix page/_lint lint; \
	else echo "lint: npm, or its registry, is not there, so that the page is not linted"; fi

# The manual pages, in man/; tailor completion writes the completions of shells.
man: build
	@./bin/tailor man man

# A release, in dist/: executables for all systems, Debian packages, checksums.
dist: page
	@GO=$(GO) sh scripts/dist.sh dist

# The Debian package of make dist in a Debian of its own (debootstrap, as root): installed,
# used without and with gcc, and removed.
test-package:
	@sh scripts/testpackage.sh dist/tailor_*_$$($(GO) env GOARCH).deb

# The extension for VS Code, which needs npm.
vscode:
	@if command -v npm >/dev/null; then \
		cp LICENSE editors/vscode/ && cd editors/vscode && npm install --silent --no-audit --no-fund && npx vsce package; \
	else echo "vscode: npm is not there, so that the extension is not packed"; fi

clean:
	rm -rf bin man dist
