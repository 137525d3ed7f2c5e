import { createCipheriv, randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateSync } from 'otplib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callAs, newBusiness, startWorld, type World } from '../../../../tests/world.ts'
import {
  confirmFactor,
  dropFactor,
  logIn,
  logInFactor,
  startFactor,
} from '#features/base/session/endpoints.ts'
import { reseal } from './reseal.ts'
import { addVaultKey, dropOlderVaultKeys, readSecrets } from '../settings.ts'
import { headOf, encrypt, decrypt, type Vault } from './vault.ts'

const key = () => randomBytes(32)

describe('the vault', () => {
  test('opens what any of its keys sealed, and nothing else', () => {
    const [old, now, other] = [key(), key(), key()]
    const before: Vault = { current: old, before: [] }
    const after: Vault = { current: now, before: [old] }
    const sealed = encrypt(before, Buffer.from('secret'))
    expect(sealed.subarray(0, 7)).toEqual(headOf(old))
    expect(decrypt(after, sealed).toString()).toBe('secret')
    expect(decrypt(after, encrypt(after, Buffer.from('next'))).toString()).toBe('next')
    expect(() => decrypt(before, encrypt(after, Buffer.from('next')))).toThrow('another key')
    expect(() => decrypt({ current: other, before: [] }, sealed)).toThrow('another key')
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed)
      changed[at]! ^= 1
      expect(() => decrypt(before, changed), `byte ${at}`).toThrow('another key')
    }
    expect(() => decrypt(before, Buffer.alloc(0))).toThrow('another key')
  })

  test('opens what was sealed before keys had an id', () => {
    const old = key()
    const nonce = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', old, nonce)
    const body = Buffer.concat([cipher.update('of before'), cipher.final()])
    const sealed = Buffer.concat([nonce, cipher.getAuthTag(), body])
    expect(decrypt({ current: key(), before: [key(), old] }, sealed).toString()).toBe('of before')
  })

  test('a new key stands in front of the others; addresses and marks stay, and the file is its owner’s', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'secrets-')), 'secrets.json')
    const first = readSecrets(file)
    expect(first.mac).toEqual(first.vault.current)
    const second = addVaultKey(file)
    expect(second.vault.before).toEqual([first.vault.current])
    expect(second.vault.current).not.toEqual(first.vault.current)
    expect(second.mac).toEqual(first.mac)
    expect(readSecrets(file)).toEqual(second)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    dropOlderVaultKeys(file)
    expect(readSecrets(file)).toEqual({
      vault: { current: second.vault.current, before: [] },
      mac: first.mac,
    })
    expect(readFileSync(file, 'utf8')).not.toContain(`"before"`)
  })
})

describe('a new key', () => {
  let world: World
  beforeAll(async () => {
    world = await startWorld()
  })
  afterAll(() => world.close())

  test('seals everything anew, and the key of before opens nothing that is needed', async () => {
    const b = await newBusiness(world)
    await world.worker.drain()
    const factorOf = async () => {
      const { secret } = await b.call(startFactor, { password: b.password })
      await b.call(confirmFactor, {
        code: generateSync({ secret, epoch: Math.floor(Date.now() / 1000) - 30 }),
      })
      return secret
    }
    // One that was turned off is sealed inside of the change that can be undone.
    const dropped = await factorOf()
    await b.call(dropFactor, { password: b.password, code: generateSync({ secret: dropped }) })
    await world.app.db.pool.query('update users set totp_step = 0 where email = $1', [b.email])
    const secret = await factorOf()
    // A job that still waits holds a sealed text, and an answer that was kept for a repeat another.
    await callAs(world, logIn, { email: b.email, password: b.password }, { key: 'the same again' })

    const { vault: old, mac } = world.app.secrets
    const vault: Vault = { current: key(), before: [old.current] }
    const first = await reseal(world.app.db, vault)
    expect(first).toMatchObject({ unreadable: 0, left: 0 })
    expect(first.done).toBeGreaterThan(4)
    expect(await reseal(world.app.db, vault)).toMatchObject({ left: 0, unreadable: 0 })
    world.app.secrets = { vault: { current: vault.current, before: [] }, mac }

    await world.worker.drain()
    const { rows: failed } = await world.app.db.pool.query(
      'select name, last_error from outbox where done_at is null and attempts > 0',
    )
    expect(failed).toEqual([])
    expect(
      await callAs(world, logIn, { email: b.email, password: b.password }, { key: 'the same again' }),
    ).toMatchObject({ factorNeeded: true })
    const asked = await callAs(world, logIn, { email: b.email, password: b.password })
    if (!('factorNeeded' in asked)) throw new Error('not asked')
    await callAs(world, logInFactor, { token: asked.token, code: generateSync({ secret }) })
    const { rows } = await world.app.db.pool.query<{ before: Buffer }>(
      `select before from account_changes where kind = 'factorOff'`,
    )
    const { totpSecret } = JSON.parse(decrypt(world.app.secrets.vault, rows[0]!.before).toString()) as {
      totpSecret: string
    }
    expect(decrypt(world.app.secrets.vault, Buffer.from(totpSecret, 'base64')).toString()).toBe(dropped)
  })

  test('each column that holds something sealed is found', async () => {
    const { rows } = await world.app.db.pool.query<{ table: string; column: string }>(
      `select table_name as "table", column_name as "column" from information_schema.columns
        where table_schema = 'public' and data_type = 'bytea'`,
    )
    const [old, now] = [world.app.secrets.vault.current, key()]
    const head = headOf(old)
    // Whatever a test of above left: nothing but sealed columns begins with the mark.
    for (const { table, column } of rows) {
      const { rows: marked } = await world.app.db.pool.query<{ n: number }>(
        `select count(*)::int as n from ${table} where substring("${column}" from 1 for 7) = $1`,
        [head],
      )
      if (marked[0]!.n)
        expect(`${table}.${column}`).toMatch(/sealed$|^users\.totp_|^account_changes\.before$/)
    }
    expect(await reseal(world.app.db, { current: now, before: [old] })).toMatchObject({ left: 0 })
  })
})
