// What the JS SDKs see of a YDB: sessions, types and conflicts through @ydbjs/query, topics through ydb-sdk.
//
// usage: node client.js --endpoint grpc://127.0.0.1:2136 --database /local --control http://127.0.0.1:8765
//
// Prints one line a check and closes with "N passed, N failed". Exit status 1 when a check failed.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { createRequire } from 'node:module'
import { parseArgs } from 'node:util'
import { Driver } from '@ydbjs/core'
import { query } from '@ydbjs/query'
import * as T from '@ydbjs/value/primitive'

const { AnonymousAuthService, Context, Driver: TopicDriver } = createRequire(import.meta.url)('ydb-sdk')

const { values: options } = parseArgs({
  options: {
    endpoint: { type: 'string' },
    database: { type: 'string' },
    control: { type: 'string' },
    only: { type: 'string', default: '' },
  },
})
const run = randomUUID().slice(0, 8)
const name = (what) => `js_${what}_${run}`

const driver = new Driver(`${options.endpoint}${options.database}`)
await driver.ready(AbortSignal.timeout(10_000))
const sql = query(driver)
const yql = (text) => sql([text])

const topicDriver = new TopicDriver({
  endpoint: options.endpoint,
  database: options.database,
  authService: new AnonymousAuthService(),
})
assert(await topicDriver.ready(10_000), 'the topic driver did not connect')

async function order(path, body) {
  const answer = await fetch(options.control + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  assert(answer.ok, `${path}: ${answer.status} ${text}`)
  return JSON.parse(text)
}

async function limited(promise, seconds, what) {
  let timer
  const expired = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what}: nothing within ${seconds} s`)), seconds * 1000)
  })
  try {
    return await Promise.race([promise, expired])
  } finally {
    clearTimeout(timer)
  }
}

// topics

async function createTopic(what, partitions) {
  const path = `${options.database}/${name(what)}`
  await topicDriver.topic.createTopic({
    path,
    partitioningSettings: { minActivePartitions: partitions },
    consumers: [{ name: 'c' }],
  })
  return path
}

async function write(path, partitionId, texts) {
  const writer = await topicDriver.topic.createWriter({
    path,
    partitionId,
    producerId: `${run}-${partitionId}`,
    getLastSeqNo: true,
  })
  const sent = writer.send({
    codec: 1,
    messages: texts.map((text) => ({ data: Buffer.from(text), uncompressedSize: Buffer.byteLength(text) })),
  })
  await limited(sent, 10, `write to ${path}`)
  await writer.close(true)
}

class Reader {
  static async open(path, partitionIds = []) {
    const reader = await topicDriver.topic.createReader(Context.createNew({}).ctx, {
      topicsReadSettings: [{ path, partitionIds }],
      consumer: 'c',
      receiveBufferSizeInBytes: 1024 * 1024,
    })
    return new Reader(reader)
  }

  constructor(reader) {
    this.reader = reader
    this.iterator = reader.messages[Symbol.asyncIterator]()
  }

  async next(seconds = 20) {
    const { value, done } = await limited(this.iterator.next(), seconds, 'read')
    assert(!done, 'the reader ended')
    await value.commit()
    return Buffer.from(value.data).toString()
  }

  close() {
    this.reader.close(true)
  }
}

// the checks

/** The SDK gives bytes as a Buffer. */
const plain = (value) => (value instanceof Uint8Array ? [...value] : value)

const types = {
  Bool: [new T.Bool(true), true],
  Int8: [new T.Int8(-128), -128],
  Int16: [new T.Int16(-32768), -32768],
  Int32: [new T.Int32(-(2 ** 31)), -(2 ** 31)],
  Int64: [new T.Int64(-(2n ** 63n)), -(2n ** 63n)],
  Uint8: [new T.Uint8(255), 255],
  Uint16: [new T.Uint16(65535), 65535],
  Uint32: [new T.Uint32(2 ** 32 - 1), 2 ** 32 - 1],
  Uint64: [new T.Uint64(2n ** 64n - 1n), 2n ** 64n - 1n],
  Float: [new T.Float(0.5), 0.5],
  Double: [new T.Double(-1.7976931348623157e308), -1.7976931348623157e308],
  String: [new T.Bytes(new Uint8Array([0, 255, 7])), new Uint8Array([0, 255, 7])],
  Utf8: [new T.Text('žluťoučký \u{1f954}'), 'žluťoučký \u{1f954}'],
  Json: [new T.Json('{"a":[1,"x"]}'), { a: [1, 'x'] }],
  Yson: [new T.Yson(new TextEncoder().encode('{a=1}')), new TextEncoder().encode('{a=1}')],
  Uuid: [new T.Uuid('01234567-89ab-cdef-0123-456789abcdef'), '01234567-89ab-cdef-0123-456789abcdef'],
  Date: [new T.Date(new Date('2024-02-29T00:00:00Z')), new Date('2024-02-29T00:00:00Z')],
  Datetime: [new T.Datetime(new Date('2024-02-29T12:30:59Z')), new Date('2024-02-29T12:30:59Z')],
  Timestamp: [new T.Timestamp(new Date('2024-02-29T12:30:59.123Z')), new Date('2024-02-29T12:30:59.123Z')],
}

const checks = {
  async 'a query gives its rows'() {
    const [[row]] = await yql('SELECT 1 + 1 AS two;')
    assert.deepEqual(row, { two: 2 })
  },

  async 'every type comes back as it went'() {
    const table = name('types')
    const columns = Object.keys(types)
    const declared = columns.map((type, i) => `c${i} ${type}`).join(', ')
    await yql(`CREATE TABLE \`${table}\` (id Uint64 NOT NULL, ${declared}, PRIMARY KEY (id));`)
    const names = columns.map((_, i) => `c${i}`)
    const upsert = yql(
      `UPSERT INTO \`${table}\` (id, ${names.join(', ')}) VALUES (1ul, ${names.map((n) => `$${n}`).join(', ')});`,
    )
    columns.forEach((type, i) => upsert.parameter(`c${i}`, types[type][0]))
    await upsert
    await yql(`UPSERT INTO \`${table}\` (id) VALUES (2ul);`)
    const [[full, empty]] = await yql(`SELECT * FROM \`${table}\` ORDER BY id;`)
    columns.forEach((type, i) => {
      assert.deepEqual(plain(full[`c${i}`]), plain(types[type][1]), type)
      assert.equal(empty[`c${i}`], null, `null ${type}`)
    })
  },

  async 'a conflict is aborted and the retry succeeds'() {
    const table = name('conflict')
    await yql(`CREATE TABLE \`${table}\` (id Uint64 NOT NULL, v Int64, PRIMARY KEY (id));`)
    await yql(`UPSERT INTO \`${table}\` (id, v) VALUES (1ul, 0l);`)
    let attempts = 0
    // what runs inside begin() joins its transaction, so the disturber waits outside
    let disturb
    const disturbed = new Promise((resolve) => (disturb = resolve)).then(async () => {
      await yql(`UPSERT INTO \`${table}\` (id, v) VALUES (1ul, 100l);`)
    })
    await sql.begin({ idempotent: true }, async (tx) => {
      attempts++
      const [[{ v }]] = await tx([`SELECT v FROM \`${table}\` WHERE id = 1ul;`])
      if (attempts === 1) {
        // somebody else commits in between: this attempt must be ABORTED and tried again
        disturb()
        await disturbed
      }
      await tx([`UPSERT INTO \`${table}\` (id, v) VALUES (1ul, ${v + 1n}l);`])
    })
    const [[row]] = await yql(`SELECT v FROM \`${table}\`;`)
    assert(attempts >= 2, `${attempts} attempts`)
    assert.equal(row.v, 101n)
  },

  async 'a duplicate insert is refused'() {
    const table = name('duplicate')
    await yql(`CREATE TABLE \`${table}\` (id Uint64 NOT NULL, PRIMARY KEY (id));`)
    await yql(`INSERT INTO \`${table}\` (id) VALUES (1ul);`)
    await assert.rejects(async () => await yql(`INSERT INTO \`${table}\` (id) VALUES (1ul);`), /PRECONDITION_FAILED|Conflict with existing key/)
  },

  async 'two readers share partitions and commit'() {
    const path = await createTopic('shared', 4)
    const wanted = new Set()
    for (let partition = 0; partition < 4; partition++) {
      const texts = Array.from({ length: 20 }, (_, i) => `${partition}-${i}`)
      texts.forEach((text) => wanted.add(text))
      await write(path, partition, texts)
    }
    // this SDK never answers a graceful stop, so its readers name their partitions
    const readers = [await Reader.open(path, [0, 1]), await Reader.open(path, [2, 3])]
    try {
      let over
      const complete = new Promise((resolve) => (over = resolve))
      const seen = new Set()
      const pump = async (reader) => {
        while (seen.size < wanted.size) {
          seen.add(await reader.next(30))
        }
        over()
      }
      readers.forEach((reader) => pump(reader).catch((error) => seen.size < wanted.size && over(error)))
      const problem = await limited(complete, 30, 'two readers')
      if (problem) throw problem
      assert.deepEqual(seen, wanted)
    } finally {
      readers.forEach((reader) => reader.close())
    }
  },

  async 'a cut stream is resumed'() {
    const path = await createTopic('cut', 1)
    await write(path, 0, ['a'])
    const reader = await Reader.open(path)
    try {
      assert.equal(await reader.next(), 'a')
      await order('/faults', { fault: 'stream-cut', path, count: 1 })
      await write(path, 0, ['b'])
      // what was read before the cut may come again, nothing else
      let text
      do {
        text = await reader.next(30)
        assert(['a', 'b'].includes(text), text)
      } while (text !== 'b')
    } finally {
      reader.close()
    }
  },

  async 'a split partition is read on'() {
    const path = await createTopic('split', 1)
    await write(path, 0, ['before'])
    const reader = await Reader.open(path)
    try {
      assert.equal(await reader.next(), 'before')
      const { children } = await order('/partitions/split', { path, partition: 0 })
      const wanted = new Set()
      for (const child of children) {
        wanted.add(`child-${child}`)
        await write(path, child, [`child-${child}`])
      }
      while (wanted.size > 0) {
        wanted.delete(await reader.next(30))
      }
    } finally {
      reader.close()
    }
  },
}

let passed = 0
let failed = 0
for (const [title, check] of Object.entries(checks)) {
  if (!title.includes(options.only)) continue
  try {
    await limited(check(), 90, title)
    passed++
    console.log(`ok      ${title}`)
  } catch (problem) {
    failed++
    const cause = problem.cause ? `\n  caused by ${problem.cause.stack ?? problem.cause}` : ''
    console.log(`FAILED  ${title}: ${problem.stack ?? problem}${cause}`)
  }
}
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed || !passed ? 1 : 0)
