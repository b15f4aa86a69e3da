# `make help` lists the commands.
SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
MVN ?= mvn -B -ntp

.DEFAULT_GOAL := help
.PHONY: help build test fmt

help: ## list the commands
	@grep -E '^[a-z][a-z-]*:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 22

build: ## compile and package all modules
	$(MVN) package -DskipTests

test: ## what CI runs
	$(MVN) verify

fmt: ## format the sources
	$(MVN) -q spotless:apply
