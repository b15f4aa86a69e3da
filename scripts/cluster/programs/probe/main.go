// Probe is what runs in pods that try a cluster: it serves HTTP, and does what a shell would be asked to.
//
//	probe serve ADDRESS   answers HTTP there with the machine's name, a pod's in a pod, until SIGTERM
//	probe resolve NAME    prints the addresses of a name
//	probe get URL         prints what a server answers; fails unless the status is 200
//	probe claims FILE     prints the claims of a token, not the token
package main

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"
)

const patience = 5 * time.Second

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "probe:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	commands := map[string]func(string) error{"serve": serve, "resolve": resolve, "get": get, "claims": claims}
	if len(args) != 2 || commands[args[0]] == nil {
		return errors.New("usage: serve ADDRESS | resolve NAME | get URL | claims FILE")
	}
	return commands[args[0]](args[1])
}

func serve(address string) error {
	name, err := os.Hostname()
	if err != nil {
		return err
	}
	ended, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	server := &http.Server{Addr: address, ReadHeaderTimeout: patience}
	server.Handler = http.HandlerFunc(func(answer http.ResponseWriter, _ *http.Request) {
		fmt.Fprintln(answer, name)
	})
	go func() {
		<-ended.Done()
		server.Close()
	}()
	fmt.Println("serving as", name)
	if err := server.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

func resolve(name string) error {
	limited, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	addresses, err := net.DefaultResolver.LookupHost(limited, name)
	if err != nil {
		return err
	}
	fmt.Println(strings.Join(addresses, "\n"))
	return nil
}

func get(url string) error {
	client := http.Client{Timeout: patience}
	answer, err := client.Get(url)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answered %s", url, answer.Status)
	}
	_, err = io.Copy(os.Stdout, answer.Body)
	return err
}

func claims(file string) error {
	token, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	parts := strings.Split(string(token), ".")
	if len(parts) != 3 {
		return fmt.Errorf("%s holds no JSON web token", file)
	}
	decoded, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil {
		return fmt.Errorf("%s: claims: %w", file, err)
	}
	fmt.Println(string(decoded))
	return nil
}
