import { sql } from 'kysely'
import { implement } from '#kit/server/contract/implement.ts'
import * as calls from '../endpoints.ts'
import { arrangedTiles } from '../tiles.ts'
import { page } from './page.ts'

export const implementations = [
  implement(calls.homePage, page),
  implement(calls.keepTiles, async (ctx, given) => {
    const tiles = arrangedTiles(given.tiles)
    await sql`insert into home_tiles (company_id, user_id, tiles)
      values (${ctx.companyId}, ${ctx.caller.userId}, ${JSON.stringify(tiles)}::jsonb)
      on conflict (company_id, user_id) do update set tiles = excluded.tiles, updated_at = now()`.execute(
      ctx.tx,
    )
    return { tiles }
  }),
]
