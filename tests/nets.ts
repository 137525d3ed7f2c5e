import type { RawBuilder } from 'kysely'
import { failureOf } from '#kit/server/contract/failures.ts'
import { asSystem } from '#kit/server/data/db.ts'
import type { World } from './world.ts'

/**
 * What the database itself answers to a statement that no command makes: the code of the refusal a caller
 * would get, or 'nothing'. The statement is rolled back.
 */
export async function refusedByDatabase(world: World, statement: RawBuilder<unknown>): Promise<string> {
  const done = new Error('nothing')
  return asSystem(world.app.db, async (tx) => {
    await statement.execute(tx)
    throw done
  }).catch((e: unknown) => (e === done ? 'nothing' : failureOf(e).code))
}
