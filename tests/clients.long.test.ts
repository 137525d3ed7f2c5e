import { spawn, spawnSync } from 'node:child_process'
import { createServer } from 'node:http'
import { mkdtempSync, readFileSync, writeFileSync, cpSync, mkdirSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { root } from '#kit/server/settings.ts'
import { documentText } from '#kit/server/openapi/contract.ts'
import { openSandbox } from '#features/open/sandbox/endpoints.ts'
import { newBusiness, startWorld, type World } from './world.ts'

/*
 * What others write programs with: types that a public generator (openapi-typescript) makes of the document,
 * our client over them, and the one file for PHP. All of them talk to a server that listens.
 */
const client = join(root, 'clients/typescript')
const generator = join(client, 'node_modules/openapi-typescript/bin/cli.js')
const compiler = join(client, 'node_modules/typescript/bin/tsc')

let world: World
let base: string
let key: string
let folder: string
const secret = `whsec_${Buffer.from('a secret of twenty-four b').toString('base64')}`

beforeAll(async () => {
  world = await startWorld()
  await world.http.listen({ port: 0, host: '127.0.0.1' })
  base = `http://127.0.0.1:${(world.http.server.address() as AddressInfo).port}`
  key = (await (await newBusiness(world)).call(openSandbox, {})).secret
  folder = mkdtempSync(join(tmpdir(), 'pinkas-client-'))
})
afterAll(() => world.close())

/** A program as an integrator would write it. */
const program = `
import { Pinkas, PinkasError, verifyWebhook, type Answer } from './index.js'
const pinkas = new Pinkas({ base: process.argv[2]!, key: process.argv[3]!, language: 'en' })
const customer = await pinkas.call('customers.create', { body: { name: 'Blue Fig', externalId: 'shop-1' } })
const body = { type: 9, clientKey: 'order-1', customerId: customer.id, lines: [{ description: 'Hosting', unitPrice: '100' }], payments: [{ means: 4, amountAgorot: 11800 }] }
const paper: Answer<'documents.create'> = await pinkas.call('documents.create', { body }, { idempotencyKey: 'once' })
const again = await pinkas.call('documents.create', { body }, { idempotencyKey: 'once' })
const pdf = await pinkas.call('documents.pdf', { path: { id: paper.id }, query: { variant: 'original' } })
const names: string[] = []
for await (const row of pinkas.all('customers.list', { query: { limit: 2 } })) names.push(String(row.name))
let refused = ''
try { await pinkas.call('customers.create', { body: { name: '' } }) } catch (e) { if (e instanceof PinkasError) refused = e.status + ' ' + e.code + ' ' + e.errors[0]?.path + ' ' + (e.requestId ? 'named' : '') }
const notice = await verifyWebhook(process.argv[4]!, JSON.parse(process.argv[5]!), process.argv[6]!)
let forged = ''
try { await verifyWebhook(process.argv[4]!, JSON.parse(process.argv[5]!), process.argv[6]! + ' ') } catch (e) { forged = (e as Error).message }
const given = new Headers(JSON.parse(process.argv[5]!))
const signature = given.get('webhook-signature')
given.set('webhook-signature', 'v1,%%% v1,AAAA ' + signature)
const turning = await verifyWebhook(process.argv[4]!, given, process.argv[6]!)
console.log(JSON.stringify({ turning: turning.type, number: paper.number, same: again.id === paper.id, pdf: new TextDecoder().decode(pdf.slice(0, 5)), names, refused, notice: notice.type, forged }))
`
/** What must not compile: a call that is none, a field of another kind, one that is not there. */
const wrong = `
import { Pinkas } from './index.js'
const pinkas = new Pinkas({ base: '', key: '' })
// @ts-expect-error there is no such call
await pinkas.call('documents.erase', {})
// @ts-expect-error a name is a text
await pinkas.call('customers.create', { body: { name: 7 } })
// @ts-expect-error no such field
;(await pinkas.call('customers.get', { path: { id: '' } })).nothing
`

/** The server answers in this process, so nothing here may wait for a program without letting it. */
const run = (command: string, of: string[]): Promise<{ stdout: string; stderr: string }> =>
  new Promise((done) => {
    const child = spawn(command, of)
    const said = { stdout: '', stderr: '' }
    child.stdout.on('data', (part: Buffer) => (said.stdout += part.toString()))
    child.stderr.on('data', (part: Buffer) => (said.stderr += part.toString()))
    child.on('close', () => done(said))
  })

const signed = (body: string) => {
  const at = new Date()
  return {
    'webhook-id': 'e1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('e1', at, body),
  }
}
const noticeBody = JSON.stringify({
  type: 'document.issued',
  timestamp: '2026-11-25T10:00:00Z',
  data: { id: 'x' },
})

describe('the client for TypeScript', () => {
  test('is typed by what a public generator makes of the document, compiles, and does the main job', async () => {
    cpSync(join(client, 'src/index.ts'), join(folder, 'src/index.ts'))
    writeFileSync(join(folder, 'openapi.json'), await documentText('en'))
    const generated = spawnSync(
      process.execPath,
      [generator, join(folder, 'openapi.json'), '-o', join(folder, 'src/api.d.ts')],
      {
        encoding: 'utf8',
      },
    )
    expect([generated.status, generated.stderr]).toEqual([0, expect.any(String)])
    writeFileSync(join(folder, 'src/program.ts'), `declare const process: { argv: string[] }\n${program}`)
    writeFileSync(join(folder, 'src/wrong.ts'), wrong)
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    writeFileSync(join(folder, 'tsconfig.json'), readFileSync(join(client, 'tsconfig.json')))
    const compiled = spawnSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' })
    expect([compiled.stdout, compiled.status]).toEqual(['', 0])
    const ran = await run(process.execPath, [
      join(folder, 'dist/program.js'),
      base,
      key,
      secret,
      JSON.stringify(signed(noticeBody)),
      noticeBody,
    ])
    expect(ran.stderr).toBe('')
    const said = JSON.parse(ran.stdout) as Record<string, unknown>
    expect(said).toMatchObject({
      number: expect.any(Number),
      same: true,
      pdf: '%PDF-',
      refused: '422 kit.badInput name named',
      notice: 'document.issued',
      turning: 'document.issued',
      forged: 'webhook: the signature does not fit',
    })
    expect(said.names).toEqual(expect.arrayContaining(['Blue Fig']))
    expect(new Set(said.names as string[]).size).toBe((said.names as string[]).length)
  }, 180_000)

  test('sends again what got no answer, with one key, and waits as it is told', async () => {
    const seen: { key: string; at: number }[] = []
    const flaky = createServer((request, response) => {
      if (request.url === '/api/docs/menu')
        return void response.setHeader('content-type', 'application/json').end(
          JSON.stringify({
            groups: [{ tags: [{ calls: [{ name: 'x.y', method: 'POST', path: '/x' }] }] }],
          }),
        )
      seen.push({ key: String(request.headers['idempotency-key']), at: Date.now() })
      if (seen.length === 1) return void request.socket.destroy()
      if (seen.length === 2) return void response.writeHead(429, { 'retry-after': '1' }).end('{}')
      response.setHeader('content-type', 'application/json').end('{"done":true}')
    })
    await new Promise<void>((go) => flaky.listen(0, '127.0.0.1', go))
    try {
      const { Pinkas } = (await import(pathToFileURL(join(folder, 'dist/index.js')).href)) as {
        Pinkas: new (of: object) => { call: (name: string, input: object) => Promise<unknown> }
      }
      const pinkas = new Pinkas({
        base: `http://127.0.0.1:${(flaky.address() as AddressInfo).port}`,
        key: 'k',
      })
      expect(await pinkas.call('x.y', { body: {} })).toEqual({ done: true })
      expect(seen).toHaveLength(3)
      expect(new Set(seen.map((one) => one.key)).size).toBe(1)
      expect(seen[2]!.at - seen[1]!.at).toBeGreaterThanOrEqual(990)
    } finally {
      flaky.close()
    }
  })
})

test('the clients have the version of the contract', () => {
  const versionIn = (file: string) =>
    /(?:"version": "|version = '|VERSION = ')([\d.]+)/.exec(readFileSync(join(root, file), 'utf8'))?.[1]
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  for (const file of [
    'clients/typescript/package.json',
    'clients/typescript/src/index.ts',
    'clients/php/Pinkas.php',
  ])
    expect([file, versionIn(file)]).toEqual([file, version])
})

test('the one file for PHP does the main job (needs php with curl: apt-get install php-cli php-curl)', async () => {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'program.php')
  writeFileSync(
    file,
    `<?php require ${JSON.stringify(join(root, 'clients/php/Pinkas.php'))};
[, $base, $key, $secret, $headers, $body] = $argv;
$pinkas = new Pinkas($base, $key, 'en');
$customer = $pinkas->post('/api4/invoice/customers', ['name' => 'דנה', 'externalId' => 'php-1']);
$order = ['type' => 9, 'clientKey' => 'php-order-1', 'customerId' => $customer['id'], 'lines' => [['description' => 'x', 'unitPrice' => '100']], 'payments' => [['means' => 1, 'amountAgorot' => 11800]]];
$paper = $pinkas->post('/api4/invoice/documents', $order, 'php-once');
$again = $pinkas->post('/api4/invoice/documents', $order, 'php-once');
$pdf = $pinkas->get('/api4/invoice/documents/' . $paper['id'] . '/pdf', ['variant' => 'original']);
$names = [];
foreach ($pinkas->all('/api4/invoice/customers', ['limit' => 2]) as $row) { $names[] = $row['name']; }
try { $pinkas->post('/api4/invoice/customers', []); $refused = ''; } catch (PinkasRefused $e) { $refused = $e->status . ' ' . $e->errorCode . ' ' . $e->errors[0]['path']; }
$notice = Pinkas::verifyWebhook($secret, json_decode($headers, true), $body);
try { Pinkas::verifyWebhook($secret, json_decode($headers, true), $body . ' '); $forged = false; } catch (PinkasRefused $e) { $forged = true; }
$file = $pinkas->upload('/api4/invoice/files', 'a note', ['name' => 'note.txt', 'entity' => 'customers', 'entityId' => $customer['id']]);
$kept = $pinkas->put('/api4/invoice/references/customers/' . $customer['id'], ['metadata' => ['by' => 'php']]);
try { (new Pinkas('http://127.0.0.1:9', $key, 'en', 0))->get('/api4/invoice/customers'); $away = ''; } catch (PinkasRefused $e) { $away = $e->status . ' ' . $e->getMessage(); }
$archived = $pinkas->get('/api4/invoice/customers', ['blocked' => true]);
echo json_encode(['file' => $file['name'] ?? $file, 'by' => $kept['metadata']['by'], 'away' => $away, 'blocked' => count($archived['rows']), 'same' => $paper['id'] === $again['id'], 'pdf' => substr($pdf, 0, 5), 'names' => $names, 'refused' => $refused, 'notice' => $notice['type'], 'forged' => $forged]);
`,
  )
  const ran = await run('php', [file, base, key, secret, JSON.stringify(signed(noticeBody)), noticeBody])
  expect([ran.stderr, ran.stdout.slice(0, 1)]).toEqual(['', '{'])
  expect(JSON.parse(ran.stdout)).toMatchObject({
    same: true,
    pdf: '%PDF-',
    refused: '422 kit.badInput name',
    notice: 'document.issued',
    forged: true,
    file: 'note.txt',
    by: 'php',
    away: expect.stringMatching(/^0 http\.connection: .*(connect|refused)/i),
    blocked: 0,
  })
  expect((JSON.parse(ran.stdout) as { names: string[] }).names).toContain('דנה')
})
