import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { sql } from 'kysely'
import forge from 'node-forge'
import { asSystem } from '#kit/server/data/db.ts'
import { signerOf, type Signer } from '#kit/server/seal/certificates.ts'
import { getRequest, signPage, signPaper } from '#features/sales/signing/endpoints.ts'
import { callAs, type Business, type World } from './world.ts'

/** A hand, as a finger draws it. */
export const strokes = {
  strokes: [
    [
      [10, 60],
      [40, 10],
      [70, 80],
      [120, 20],
    ] as [number, number][],
  ],
  width: 200,
  height: 100,
}

/** The key of the one whose turn it is. */
export async function keyToSign(shop: Business, requestId: string): Promise<string> {
  const { signers } = await shop.call(getRequest, { id: requestId })
  return signers
    .find(({ url }) => url)!
    .url!.split('/')
    .at(-1)!
}

/** Signs as a person does: reads the page, fills in the requested fields and the prefilled ones. */
export async function signByKey(world: World, key: string, values: Record<string, unknown>): Promise<void> {
  const page = await callAs(world, signPage, { key })
  const known = Object.fromEntries(
    page.fields.flatMap(({ id, mine, value }) => (mine && value !== null ? [[id, value]] : [])),
  )
  await callAs(world, signPaper, { key, values: { ...known, ...values } as never, shown: 'he', seconds: 5 })
}

/** What follows a signature, run to its end. */
export async function followSigning(world: World): Promise<void> {
  await asSystem(world.app.db, (tx) => sql`delete from outbox where name not like 'signing.%'`.execute(tx))
  await world.worker.drain()
  await world.worker.drain()
}

function newKey(): { node: KeyObject; forge: forge.pki.rsa.PrivateKey } {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return {
    node: privateKey,
    forge: forge.pki.privateKeyFromPem(privateKey.export({ type: 'pkcs1', format: 'pem' }) as string),
  }
}

let authorityKey: forge.pki.rsa.PrivateKey | undefined

/**
 * A person's certificate as an authority issues it, also as the PKCS#12 file (password 'right'); self-signed when
 * both names are one.
 */
export function certificateOf(name: string, issuer: string, days = 365): { signer: Signer; pkcs12: string } {
  const own = newKey()
  const certificate = forge.pki.createCertificate()
  certificate.publicKey = forge.pki.setRsaPublicKey(own.forge.n, own.forge.e)
  certificate.serialNumber = `01${Math.floor(Math.random() * 1e9).toString(16)}`
  const now = Date.now()
  certificate.validity.notBefore = new Date(now - 400 * 86_400_000)
  certificate.validity.notAfter = new Date(now + days * 86_400_000)
  const named = (value: string) => [
    { name: 'commonName', value, valueTagClass: forge.asn1.Type.UTF8 as unknown as forge.asn1.Class },
  ]
  certificate.setSubject(named(name))
  certificate.setIssuer(named(issuer))
  // Nobody has the authority's own certificate here, so all authorities share a key.
  const issuerKey = name === issuer ? own.forge : (authorityKey ??= newKey().forge)
  certificate.sign(issuerKey, forge.md.sha256.create())
  const der = forge.asn1.toDer(forge.pki.certificateToAsn1(certificate)).getBytes()
  const file = forge.pkcs12.toPkcs12Asn1(own.forge, [certificate], 'right', { algorithm: '3des' })
  return {
    signer: signerOf(own.node, [new Uint8Array(Buffer.from(der, 'binary'))]),
    pkcs12: Buffer.from(forge.asn1.toDer(file).getBytes(), 'binary').toString('base64'),
  }
}
