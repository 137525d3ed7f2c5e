import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const config = (folder: string) => `
[ req ]
distinguished_name = name
prompt = no
x509_extensions = stamp
[ name ]
CN = Test Time Authority
[ stamp ]
basicConstraints = critical, CA:FALSE
keyUsage = critical, digitalSignature
extendedKeyUsage = critical, timeStamping
[ tsa ]
default_tsa = here
[ here ]
dir = ${folder}
serial = ${folder}/serial
crypto_device = builtin
signer_cert = ${folder}/tsa.crt
signer_key = ${folder}/tsa.key
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256, sha384, sha512
accuracy = secs:1
ordering = no
tsa_name = no
ess_cert_id_chain = no
ess_cert_id_alg = sha256
`

/**
 * A time-stamp authority that speaks the real format (RFC 3161): every answer is made by openssl. `fails` is
 * how many questions it leaves unanswered with an error of the server before it speaks.
 */
export async function timeStampAuthority(): Promise<{
  url: string
  asked: () => number
  failNext: (times: number) => void
  close: () => Promise<void>
}> {
  const folder = mkdtempSync(join(tmpdir(), 'tsa-'))
  const at = (name: string) => join(folder, name)
  writeFileSync(at('tsa.cnf'), config(folder))
  writeFileSync(at('serial'), '01\n')
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-days',
      '30',
      '-config',
      at('tsa.cnf'),
      '-keyout',
      at('tsa.key'),
      '-out',
      at('tsa.crt'),
    ],
    { stdio: 'ignore' },
  )
  let asked = 0
  let fails = 0
  const server = createServer((request, answer) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      asked++
      if (fails > 0) {
        fails--
        answer.writeHead(503).end()
        return
      }
      const name = at(`${asked}`)
      writeFileSync(`${name}.tsq`, Buffer.concat(parts))
      execFileSync(
        'openssl',
        ['ts', '-reply', '-queryfile', `${name}.tsq`, '-config', at('tsa.cnf'), '-out', `${name}.tsr`],
        {
          stdio: 'ignore',
        },
      )
      answer
        .writeHead(200, { 'content-type': 'application/timestamp-reply' })
        .end(readFileSync(`${name}.tsr`))
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    asked: () => asked,
    failNext: (times) => void (fails = times),
    close: () =>
      new Promise((done) =>
        server.close(() => {
          rmSync(folder, { recursive: true })
          done()
        }),
      ),
  }
}
