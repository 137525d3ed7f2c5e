import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '#kit/server/settings.ts'
import { implementations } from '../src/features.ts'
import { newBusiness, startWorld, type Business, type World } from './world.ts'

/**
 * Where an account is looked up by what its owner claims: an address or a phone. Each reason says why that needs no proof,
 * or what the proof is. Everything else asks for the verified address (`verifiedEmail`).
 */
const byClaim: Record<string, string> = {
  'features/base/companies/server/signUp.ts': 'an address opens one account',
  'features/base/session/server/changes.ts': 'an address opens one account',
  'features/base/session/server/verify.ts': 'an address opens one account',
  'features/base/session/server/index.ts': 'the password, or Google, proves the account',
  'features/base/session/server/prove.ts': 'the password proves the account',
  'features/base/session/server/resets.ts': 'a code or a link goes to the address',
  'features/base/team/server/accept.ts': 'the link went to the address',
  'features/office/support/server/givenUp.ts': 'the language of an address that the operator named',
  'features/office/support/server/mails.ts': 'the language of an address that the operator named',
}

/** Files of the servers of features, below src. */
const serverSources = (): string[] =>
  readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => /^features\/.*\/server\/.*\.ts$/.test(file) && !file.endsWith('.test.ts'))

const lookups = (code: string): string[] =>
  (code.match(/`[^`]*`/g) ?? []).filter(
    (text) =>
      /\b(from|join|update) users\b/.test(text) &&
      !/email_verified_at is not null/.test(text) &&
      /\b(email|phone)\b\s*=|=\s*(\w+\.)?(email|phone)\b|phone_key\((\w+\.)?phone\) =/.test(
        text.replace(/set [^$]*\$\{[^}]*\}(?=[^`]*where)/, ''),
      ),
  )

test('an account is looked up by a claimed address only where that is not what identifies it', () => {
  const found = serverSources().filter(
    (file) => lookups(readFileSync(join(root, 'src', file), 'utf8')).length > 0,
  )
  expect(found.toSorted()).toEqual(Object.keys(byClaim).toSorted())
})

test('whatever sends an invitation needs a verified address', () => {
  const invites = implementations
    .map(({ endpoint }) => endpoint)
    .filter(({ name, method }) => /\.invite(Colleague)?$/.test(name) && method !== 'GET')
  expect(invites.length).toBeGreaterThan(3)
  expect(invites.filter(({ verified }) => !verified).map(({ name }) => name)).toEqual([])
})

test('nothing of an account is changed without its proof by a call that a stolen session could make', () => {
  // Calls that change the account itself take the password and the code of the second factor, or say why not.
  const free: Record<string, string> = {
    'session.addEventView': 'counts',
    'session.askGoogleStandIn': 'development',
    'session.confirmFactor': 'its start took the password',
    'session.end': 'ends a session',
    'session.forgetDevice': 'makes a device count as new',
    'session.makeAutoLogin': 'a session of the same person, for a minute, in the list of devices',
    'session.sendVerification': 'sends a code to what is there already',
    'session.verify': 'the code that was sent there',
  }
  const changing = implementations
    .map(({ endpoint }) => endpoint)
    .filter(
      ({ path, access, method }) => path.startsWith('/api/user/') && access === 'login' && method !== 'GET',
    )
    .filter(({ name }) => name.startsWith('session.'))
  const unproved = changing.filter(({ input, name }) => {
    const shape = (input as unknown as { shape: Record<string, unknown> }).shape
    return !('code' in shape && ('password' in shape || 'current' in shape)) && !(name in free)
  })
  expect(changing.length).toBeGreaterThan(8)
  expect(unproved.map(({ name }) => name)).toEqual([])
})

/** A message of support that was answered from a mail program; `isHeld`: from an address that is not the asker's. */
async function answerByMail(world: World, { email }: Business, isHeld: boolean): Promise<void> {
  await world.app.db.pool.query(
    `with asker as (select u.id, m.company_id from users u join memberships m on m.user_id = u.id where u.email = $1),
      ticket as (insert into tickets (company_id, id, number, kind, subject, asker_id, asker_token, desk_token)
        select company_id, gen_random_uuid(), (random() * 1e9)::bigint, 'question', 'x', id, new_door_key(), new_door_key()
        from asker returning company_id, id, asker_id)
      insert into ticket_messages (company_id, id, ticket_id, author, user_id, text, message_ref, held)
      select company_id, gen_random_uuid(), id, 'asker', asker_id, 'x', 'ref', $2 from ticket`,
    [email, isHeld],
  )
}

test('an upgrade counts addresses with good evidence as verified, and numbers that one account has', async () => {
  const world = await startWorld()
  const names = ['fresh', 'google', 'reset', 'month', 'shared', 'sharedToo', 'answered', 'held'] as const
  const made: Record<string, Business> = {}
  for (const name of names) made[name] = await newBusiness(world, { isVerified: false })
  const query = (text: string, name: (typeof names)[number]) =>
    world.app.db.pool.query(text, [made[name]!.email])
  await query(`update users set google_subject = 'g' where email = $1`, 'google')
  await query(
    `insert into resets (token_hash, user_id, channel, expires_at, used_at)
      select '\\x01', id, 'mail', now(), now() from users where email = $1`,
    'reset',
  )
  await query(`update users set created_at = now() - interval '40 days' where email = $1`, 'month')
  await query(`update users set phone = '052-7654321' where email = $1`, 'shared')
  await query(`update users set phone = '+972 52 765 4321' where email = $1`, 'sharedToo')
  await query(`update users set phone = '054-1112223' where email = $1`, 'month')
  await answerByMail(world, made.answered!, false)
  await answerByMail(world, made.held!, true)
  await world.app.db.pool.query('update users set email_verified_at = null, phone_verified_at = null')
  const verified = () =>
    world.app.db.pool
      .query<{ email: string; mail: boolean; phone: boolean }>(
        `select email, email_verified_at is not null as mail, phone_verified_at is not null as phone from users`,
      )
      .then((answer) => answer.rows)
  const evidence = readFileSync(join(root, 'db/migrations/0438-identity.sql'), 'utf8').match(
    /^update users u set[^;]*;/gm,
  )!
  expect(evidence).toHaveLength(2)
  for (const statement of evidence) await world.app.db.pool.query(statement)
  const more = readFileSync(join(root, 'db/migrations/0453-devices-and-evidence.sql'), 'utf8').match(
    /^update users u set[^;]*;/gm,
  )!
  expect(more).toHaveLength(1)
  // Nobody whose account was made since is verified by it.
  await world.app.db.pool.query(more[0]!)
  expect((await verified()).filter(({ mail }) => mail)).toHaveLength(3)
  await world.app.db.pool.query(`update migrations set timestamp = $1 where name = '0438-identity'`, [
    new Date().toISOString(),
  ])
  await world.app.db.pool.query(more[0]!)
  const rows = await verified()
  const of = (name: string) => {
    const { mail, phone } = rows.find(({ email }) => email === made[name]!.email)!
    return [mail, phone]
  }
  expect(Object.fromEntries(names.map((name) => [name, of(name)]))).toEqual({
    fresh: [false, false],
    google: [true, false],
    reset: [true, false],
    month: [true, true],
    shared: [false, false],
    sharedToo: [false, false],
    answered: [true, false],
    held: [false, false],
  })
  await world.close()
})
