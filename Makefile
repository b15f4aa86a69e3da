# `make help` lists the commands.
SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
MVN ?= mvn -B -ntp
export MVN IMAGE BASE_IMAGE PLATFORMS OVERLAY NAMESPACE COMPONENTS FORCE

.DEFAULT_GOAL := help
.PHONY: help build test test-full fmt docs demo demo-local soak simulate mutants judge-cdc judge-java-sdk kube-apiserver cluster-up cluster-down cluster-smoke cluster-test bench bench-decode bench-drain bench-silent bench-operator bench-emulator image release deploy undeploy

help: ## list the commands
	@grep -hE '^[a-z][a-z-]*:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 18

build: ## compile and package all modules; then bin/replicator, bin/operator and bin/emulator run
	@echo "building (a few minutes the first time, while libraries are fetched)"
	@mkdir -p target && touch target/built-without-lints
	@$(MVN) -q -Dfast package -DskipTests
	@echo "built: bin/replicator, bin/operator, bin/emulator"

test: ## all tests but the slow ones, as CI runs them; ends with a verdict
	@scripts/test.sh

test-full: ## all tests, the slow ones too
	@scripts/test.sh full

image: build ## the image of all programs, as an OCI archive; OUT=target/aardappel.oci, IMAGE=name:tag, BASE_IMAGE=, PLATFORMS=
	@scripts/image.sh "$(or $(OUT),target/aardappel.oci)"

release: ## write deploy/release.yaml anew: the CRD and all that the operator needs
	@scripts/release.sh

deploy: ## install the operator into the current cluster; OVERLAY=cluster|namespaced|local, IMAGE=, NAMESPACE=, COMPONENTS=
	@scripts/deploy.sh up

undeploy: ## take it away again; resources, their pods and the CRD stay
	@scripts/deploy.sh down

fmt: ## format the sources
	$(MVN) -q spotless:apply

docs: ## write the reference tables in docs/ and the CRD anew from the code
	DOCS_WRITE=true $(MVN) -q -Dfast -pl replicator,operator,crds -am test -Dtest=ReferencePagesTest,OperatorPageTest,CommittedCrdTest -Dsurefire.failIfNoSpecifiedTests=false

demo: build ## the main job in a Kubernetes cluster (made where it can be): a workload replicated, the active pod deleted, the tables compared; DEMO_KEEP=1 leaves it
	@code=0; bin/demo-cluster || code=$$?; \
	  if [ "$$code" != 75 ]; then exit "$$code"; fi; \
	  echo "no cluster, as said above: the same as processes on this machine, as make demo-local runs it"; bin/demo

demo-local: build ## the same without a cluster: emulator, two replicators, workload, takeover, comparison
	@bin/demo

# Long enough for the second compiler to pay, and most of a run is waiting.
SOAK_AT_ONCE = 6
SOAK_JVM = -Djunit.jupiter.execution.parallel.config.fixed.parallelism=$(SOAK_AT_ONCE) \
  -Djunit.jupiter.execution.parallel.config.fixed.max-pool-size=$(SOAK_AT_ONCE)

soak: build ## the snapshot property by seed: plain, faults, kills, alters; SEEDS=200 FIRST=1 KINDS=faults,alters
	@scripts/property.sh e2e SnapshotTest -Dsnapshot.seeds=$(or $(SEEDS),200) -Dsnapshot.first=$(or $(FIRST),1) \
	  -Dsnapshot.kinds=$(KINDS) \
	  "-De2e.jvm=$(SOAK_JVM)"

simulate: ## the engine against a model of both databases, by seed; SEEDS=10000 FIRST=1
	@scripts/property.sh replicator SimulationTest -Dsimulation.seeds=$(or $(SEEDS),10000) -Dsimulation.first=$(or $(FIRST),1)

mutants: build ## plants 16 faults in the simulated engine and 4 in whole processes; prints how many were noticed
	@scripts/mutants.sh

judge-cdc: build ## the changefeed cases with the Python SDK; ONLY=substring runs some
	@scripts/judge-cdc.sh $(ONLY)

judge-java-sdk: build ## the Java SDK's own integration tests; SDK_DIR=<checkout of v2.3.29>
	@emulator/judges/java-sdk.sh "$(SDK_DIR)"

kube-apiserver: ## build kube-apiserver and etcd, once for each version, for the Java tests that need an API server; needs go
	@scripts/kube-apiserver.sh

cluster-up: ## a one-node Kubernetes cluster on this machine (Linux, root; needs go), or a look at yours when KUBECONFIG is set
	@scripts/cluster/up.sh

cluster-down: ## end that cluster and remove all that it made
	@scripts/cluster/down.sh

cluster-smoke: ## try a cluster of its own from up to down: pods, names, Services, tokens, PodSecurity, drain, leftovers; OCI=target/aardappel.oci
	@scripts/cluster/smoke.sh $(OCI)

cluster-test: build ## operator and pods in a cluster of their own: takeover, tokens, an operator that is killed, deletion; FULL=full, ONLY=ScenariosTest
	@ONLY="$(ONLY)" scripts/cluster-test.sh $(FULL)

bench: build ## the replicator's figures: decode path, a drained backlog, memory; about eight minutes; ROUNDS=n
	@scripts/bench.sh

bench-decode: build ## from bytes to a query's parameters, beside the mere tokenising of the same bytes
	@scripts/bench.sh decode

bench-drain: build ## processor time of a drained backlog, beside a program that only reads and writes; memory
	@scripts/bench.sh drain

bench-silent: build ## memory behind a partition that does not speak
	@scripts/bench.sh silent

bench-operator: build ## the operator with 10 and with 1,000 resources: time, requests, memory; about eight minutes; FEW=n MANY=n
	@scripts/bench.sh operator

bench-emulator: build ## how fast the emulator is: topic records read, rows written with a changefeed; median of five
	@java -Dlogback.configurationFile=io/aardappel/bench/logback.xml -cp 'bench/target/classes:bench/target/lib/*' io.aardappel.bench.emulator.EmulatorBench
