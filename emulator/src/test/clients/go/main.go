// What the Go SDK sees of a YDB: sessions, types, conflicts, topics.
//
// usage: go run . -endpoint grpc://127.0.0.1:2136 -database /local -control http://127.0.0.1:8765
//
// Prints one line a check and closes with "N passed, N failed". Exit status 1 when a check failed.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/ydb-platform/ydb-go-sdk/v3"
	"github.com/ydb-platform/ydb-go-sdk/v3/query"
	"github.com/ydb-platform/ydb-go-sdk/v3/table"
	"github.com/ydb-platform/ydb-go-sdk/v3/table/types"
	"github.com/ydb-platform/ydb-go-sdk/v3/topic/topicoptions"
	"github.com/ydb-platform/ydb-go-sdk/v3/topic/topicreader"
	"github.com/ydb-platform/ydb-go-sdk/v3/topic/topictypes"
	"github.com/ydb-platform/ydb-go-sdk/v3/topic/topicwriter"
)

type client struct {
	driver   *ydb.Driver
	database string
	control  string
	run      string
}

type column struct {
	yql   string
	value types.Value
	back  string // the literal that comes back where it is spelled differently
}

func columns() []column {
	decimal, err := types.DecimalValueFromString("-1234567890123.123456789", 22, 9)
	if err != nil {
		panic(err)
	}
	return []column{
		{"Bool", types.BoolValue(true), ""},
		{"Int8", types.Int8Value(-128), ""},
		{"Int16", types.Int16Value(-32768), ""},
		{"Int32", types.Int32Value(-1 << 31), ""},
		{"Int64", types.Int64Value(-1 << 63), ""},
		{"Uint8", types.Uint8Value(255), ""},
		{"Uint16", types.Uint16Value(65535), ""},
		{"Uint32", types.Uint32Value(1<<32 - 1), ""},
		{"Uint64", types.Uint64Value(1<<64 - 1), ""},
		{"Float", types.FloatValue(0.5), ""},
		{"Double", types.DoubleValue(-1.7976931348623157e308), ""},
		{"Date", types.DateValue(19782), ""},
		{"Datetime", types.DatetimeValue(1709209859), ""},
		{"Timestamp", types.TimestampValue(1709209859123456), ""},
		{"Interval", types.IntervalValueFromMicroseconds(-259199999993), ""},
		{"Date32", types.Date32Value(-25567), ""},
		{"Datetime64", types.Datetime64Value(-2208985139), ""},
		{"Timestamp64", types.Timestamp64Value(-2208985139000001), ""},
		{"String", types.BytesValue([]byte("\x00\xff bytes")), ""},
		{"Utf8", types.TextValue("žluťoučký \U0001f954"), ""},
		{"Json", types.JSONValue(`{"a":[1,9223372036854775807]}`), ""},
		{"JsonDocument", types.JSONDocumentValue(`{"a":[1,2]}`), ""},
		{"Yson", types.YSONValue("{a=1}"), ""},
		{"Uuid", types.UuidValue(uuid.MustParse("01234567-89ab-cdef-0123-456789abcdef")), ""},
		{"DyNumber", types.DyNumberValue("12.5"), types.DyNumberValue(".125e2").Yql()},
		{"Decimal(22,9)", decimal, ""},
	}
}

func (c *client) name(what string) string { return "go_" + what + "_" + c.run }

func (c *client) order(path string, body any, answer any) error {
	data, err := json.Marshal(body)
	if err != nil {
		return err
	}
	response, err := http.Post(c.control+path, "application/json", bytes.NewReader(data))
	if err != nil {
		return err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode >= 300 {
		return fmt.Errorf("%s: %s %s", path, response.Status, text)
	}
	if answer == nil {
		return nil
	}
	return json.Unmarshal(text, answer)
}

func (c *client) exec(ctx context.Context, text string, options ...query.ExecuteOption) error {
	return c.driver.Query().Exec(ctx, text, options...)
}

func (c *client) topic(ctx context.Context, what string, partitions int64) (string, error) {
	path := c.database + "/" + c.name(what)
	return path, c.driver.Topic().Create(ctx, path,
		topicoptions.CreateWithMinActivePartitions(partitions),
		topicoptions.CreateWithConsumer(topictypes.Consumer{Name: "c"}))
}

func (c *client) write(ctx context.Context, path string, partition int64, texts ...string) error {
	writer, err := c.driver.Topic().StartWriter(path,
		topicoptions.WithWriterPartitionID(partition), topicoptions.WithWriterWaitServerAck(true))
	if err != nil {
		return err
	}
	for _, text := range texts {
		if err := writer.Write(ctx, topicwriter.Message{Data: strings.NewReader(text)}); err != nil {
			return err
		}
	}
	return writer.Close(ctx)
}

func (c *client) sessions(ctx context.Context) error {
	err := c.driver.Query().Do(ctx, func(ctx context.Context, s query.Session) error {
		row, err := s.QueryRow(ctx, "SELECT 1 + 1 AS two;")
		if err != nil {
			return err
		}
		var two int32
		if err := row.Scan(&two); err != nil {
			return err
		}
		if two != 2 {
			return fmt.Errorf("1 + 1 gave %d", two)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return c.driver.Table().Do(ctx, func(ctx context.Context, s table.Session) error {
		return s.KeepAlive(ctx)
	})
}

func (c *client) everyType(ctx context.Context) error {
	all := columns()
	var declared, names, parameters []string
	values := ydb.ParamsBuilder()
	for i, column := range all {
		name := fmt.Sprintf("c%d", i)
		declared = append(declared, name+" "+column.yql)
		names = append(names, name)
		parameters = append(parameters, "$"+name)
		values = values.Param("$" + name).Any(column.value)
	}
	tableName := c.name("types")
	create := fmt.Sprintf("CREATE TABLE `%s` (id Uint64 NOT NULL, %s, PRIMARY KEY (id));", tableName, strings.Join(declared, ", "))
	if err := c.exec(ctx, create); err != nil {
		return err
	}
	upsert := fmt.Sprintf("UPSERT INTO `%s` (id, %s) VALUES (1u, %s);", tableName, strings.Join(names, ", "), strings.Join(parameters, ", "))
	if err := c.exec(ctx, upsert, query.WithParameters(values.Build())); err != nil {
		return err
	}
	row, err := c.driver.Query().QueryRow(ctx,
		fmt.Sprintf("SELECT %s FROM `%s` WHERE id = 1u;", strings.Join(names, ", "), tableName))
	if err != nil {
		return err
	}
	back := make([]types.Value, len(all))
	targets := make([]any, len(all))
	for i := range back {
		targets[i] = &back[i]
	}
	if err := row.Scan(targets...); err != nil {
		return err
	}
	var wrong []string
	for i, column := range all {
		wanted := types.OptionalValue(column.value).Yql()
		if column.back != "" {
			wanted = strings.Replace(wanted, column.value.Yql(), column.back, 1)
		}
		if back[i].Yql() != wanted {
			wrong = append(wrong, fmt.Sprintf("%s: %s is not %s", column.yql, back[i].Yql(), wanted))
		}
	}
	if len(wrong) > 0 {
		return errors.New(strings.Join(wrong, "; "))
	}
	return nil
}

func (c *client) conflict(ctx context.Context) error {
	tableName := c.name("conflict")
	if err := c.exec(ctx, "CREATE TABLE `"+tableName+"` (id Uint64 NOT NULL, v Int64, PRIMARY KEY (id));"); err != nil {
		return err
	}
	if err := c.exec(ctx, "UPSERT INTO `"+tableName+"` (id, v) VALUES (1u, 0);"); err != nil {
		return err
	}
	attempts := 0
	increment := func(ctx context.Context, tx query.TxActor) error {
		row, err := tx.QueryRow(ctx, "SELECT v ?? 0 FROM `"+tableName+"` WHERE id = 1u;")
		if err != nil {
			return err
		}
		var value int64
		if err := row.Scan(&value); err != nil {
			return err
		}
		attempts++
		if attempts == 1 { // somebody else commits in between: this attempt must be ABORTED and tried again
			if err := c.exec(ctx, "UPSERT INTO `"+tableName+"` (id, v) VALUES (1u, 100);"); err != nil {
				return err
			}
		}
		return tx.Exec(ctx, fmt.Sprintf("UPSERT INTO `%s` (id, v) VALUES (1u, %dl);", tableName, value+1))
	}
	if err := c.driver.Query().DoTx(ctx, increment); err != nil {
		return err
	}
	row, err := c.driver.Query().QueryRow(ctx, "SELECT v ?? 0 FROM `"+tableName+"`;")
	if err != nil {
		return err
	}
	var value int64
	if err := row.Scan(&value); err != nil {
		return err
	}
	if attempts < 2 || value != 101 {
		return fmt.Errorf("%d attempts, value %d; 2 or more and 101 expected", attempts, value)
	}
	return nil
}

func (c *client) duplicate(ctx context.Context) error {
	tableName := c.name("duplicate")
	if err := c.exec(ctx, "CREATE TABLE `"+tableName+"` (id Uint64 NOT NULL, PRIMARY KEY (id));"); err != nil {
		return err
	}
	insert := "INSERT INTO `" + tableName + "` (id) VALUES (1u);"
	if err := c.exec(ctx, insert); err != nil {
		return err
	}
	err := c.exec(ctx, insert)
	if err == nil || !strings.Contains(err.Error(), "Conflict with existing key") {
		return fmt.Errorf("the second INSERT gave %w", err)
	}
	return nil
}

func (c *client) sharedPartitions(ctx context.Context) error {
	path, err := c.topic(ctx, "shared", 4)
	if err != nil {
		return err
	}
	total := 0
	for partition := int64(0); partition < 4; partition++ {
		var texts []string
		for i := 0; i < 20; i++ {
			texts = append(texts, fmt.Sprintf("%d-%d", partition, i))
		}
		total += len(texts)
		if err := c.write(ctx, path, partition, texts...); err != nil {
			return err
		}
	}
	// Ends the reading of both; what one of them commits then is still committed.
	reading, done := context.WithCancel(ctx)
	defer done()
	var mutex sync.Mutex
	seen := map[string]bool{}
	errs := make(chan error, 2)
	read := func(reader *topicreader.Reader) {
		defer reader.Close(context.Background())
		for {
			batch, err := reader.ReadMessagesBatch(reading)
			if err != nil {
				if reading.Err() != nil {
					err = nil
				}
				errs <- err
				return
			}
			mutex.Lock()
			for _, message := range batch.Messages {
				text, err := io.ReadAll(message)
				if err != nil {
					errs <- err
				}
				seen[string(text)] = true
			}
			all := len(seen) == total
			mutex.Unlock()
			if err := reader.Commit(ctx, batch); err != nil && !errors.Is(err, topicreader.ErrCommitToExpiredSession) {
				errs <- err
				return
			}
			if all {
				done()
			}
		}
	}
	for i := 0; i < 2; i++ {
		reader, err := c.driver.Topic().StartReader("c", topicoptions.ReadTopic(path),
			topicoptions.WithReaderCommitMode(topicoptions.CommitModeSync))
		if err != nil {
			return err
		}
		go read(reader)
	}
	for i := 0; i < 2; i++ {
		if err := <-errs; err != nil {
			return err
		}
	}
	if len(seen) != total {
		return fmt.Errorf("%d of %d messages", len(seen), total)
	}
	return nil
}

func (c *client) reader(path string) (*topicreader.Reader, error) {
	return c.driver.Topic().StartReader("c", topicoptions.ReadTopic(path),
		topicoptions.WithReaderCommitMode(topicoptions.CommitModeSync))
}

func next(ctx context.Context, reader *topicreader.Reader) (string, error) {
	message, err := reader.ReadMessage(ctx)
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(message)
	if err != nil {
		return "", err
	}
	if err := reader.Commit(ctx, message); err != nil && !errors.Is(err, topicreader.ErrCommitToExpiredSession) {
		return "", err
	}
	return string(text), nil
}

func (c *client) cutStream(ctx context.Context) error {
	path, err := c.topic(ctx, "cut", 1)
	if err != nil {
		return err
	}
	if err := c.write(ctx, path, 0, "a"); err != nil {
		return err
	}
	reader, err := c.reader(path)
	if err != nil {
		return err
	}
	defer reader.Close(context.Background())
	if text, err := next(ctx, reader); err != nil || text != "a" {
		return fmt.Errorf("first message %q: %w", text, err)
	}
	if err := c.order("/faults", map[string]any{"fault": "stream-cut", "path": path, "count": 1}, nil); err != nil {
		return err
	}
	if err := c.write(ctx, path, 0, "b"); err != nil {
		return err
	}
	for {
		text, err := next(ctx, reader)
		if err != nil {
			return err
		}
		if text == "b" {
			return nil
		}
		if text != "a" { // what was read before the cut may come again, nothing else
			return fmt.Errorf("unexpected message %q", text)
		}
	}
}

func (c *client) splitPartition(ctx context.Context) error {
	path, err := c.topic(ctx, "split", 1)
	if err != nil {
		return err
	}
	if err := c.write(ctx, path, 0, "before"); err != nil {
		return err
	}
	reader, err := c.reader(path)
	if err != nil {
		return err
	}
	defer reader.Close(context.Background())
	if text, err := next(ctx, reader); err != nil || text != "before" {
		return fmt.Errorf("first message %q: %w", text, err)
	}
	var split struct{ Children []int64 }
	if err := c.order("/partitions/split", map[string]any{"path": path, "partition": 0}, &split); err != nil {
		return err
	}
	if len(split.Children) != 2 {
		return fmt.Errorf("children %v", split.Children)
	}
	wanted := map[string]bool{}
	for _, child := range split.Children {
		text := fmt.Sprintf("child-%d", child)
		wanted[text] = true
		if err := c.write(ctx, path, child, text); err != nil {
			return err
		}
	}
	for len(wanted) > 0 {
		text, err := next(ctx, reader)
		if err != nil {
			return fmt.Errorf("still waiting for %v: %w", wanted, err)
		}
		delete(wanted, text)
	}
	return nil
}

func main() {
	endpoint := flag.String("endpoint", "", "grpc://host:port")
	database := flag.String("database", "", "path of the database")
	control := flag.String("control", "", "http://host:port of the fault interface")
	flag.Parse()
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	driver, err := ydb.Open(ctx, *endpoint+*database)
	if err != nil {
		fmt.Println("cannot connect:", err)
		os.Exit(1)
	}
	c := &client{driver, *database, *control, uuid.NewString()[:8]}
	checks := []struct {
		name  string
		check func(context.Context) error
	}{
		{"sessions are made, used and kept alive", c.sessions},
		{"every type comes back as it went", c.everyType},
		{"a conflict is aborted and the retry succeeds", c.conflict},
		{"a duplicate insert is refused", c.duplicate},
		{"two readers share partitions and commit", c.sharedPartitions},
		{"a cut stream is resumed", c.cutStream},
		{"a split partition is read on", c.splitPartition},
	}
	passed, failed := 0, 0
	for _, check := range checks {
		limited, done := context.WithTimeout(ctx, 40*time.Second)
		if err := check.check(limited); err != nil {
			failed++
			fmt.Printf("FAILED  %s: %v\n", check.name, err)
		} else {
			passed++
			fmt.Printf("ok      %s\n", check.name)
		}
		done()
	}
	if err := driver.Close(ctx); err != nil {
		fmt.Println("closing the driver:", err)
	}
	fmt.Printf("%d passed, %d failed\n", passed, failed)
	if failed > 0 {
		os.Exit(1)
	}
}
