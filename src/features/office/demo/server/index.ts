import { fail } from '#kit/describe/errors.ts'
import { asSystem } from '#kit/server/db.ts'
import { newToken } from '#kit/server/vault.ts'
import { implement, implementOpen } from '#kit/server/implement.ts'
import { openSession, sessionOf } from '#features/base/session/server/index.ts'
import * as calls from '../endpoints.ts'
import { discardDemo } from './discard.ts'
import { openDemoOffice } from './offices.ts'
import { openDemoBusiness } from './fill.ts'
import { plumber } from './world.ts'

export { companyTables } from './discard.ts'
export { openDemoBusiness } from './fill.ts'
export { businesses } from './world.ts'

export const implementations = [
  implementOpen(calls.openDemo, async (ctx, { language }) => {
    if (!ctx.app.settings.development) throw fail('demo.off')
    const mark = newToken()
      .slice(0, 8)
      .toLowerCase()
      .replace(/[^a-z0-9]/g, 'x')
    const { companyId, userId } = await openDemoBusiness(ctx.app, plumber, {
      email: `demo-${mark}@pinkas.example`,
      password: newToken(),
      language,
    })
    return asSystem(ctx.app.db, async (tx) => sessionOf(tx, await openSession(tx, userId, companyId, ctx)))
  }),
  implementOpen(calls.openDemoOffice, async (ctx, { language }) => {
    if (!ctx.app.settings.development) throw fail('demo.off')
    const { userId, companyId } = await openDemoOffice(ctx.app, language)
    return asSystem(ctx.app.db, async (tx) => sessionOf(tx, await openSession(tx, userId, companyId, ctx)))
  }),
  implement(calls.discardDemo, discardDemo),
]
