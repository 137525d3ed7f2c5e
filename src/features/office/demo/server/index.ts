import { fail } from '#kit/describe/errors.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { newToken } from '#kit/server/rights/vault.ts'
import { implement, implementOpen } from '#kit/server/contract/implement.ts'
import type { App, Language } from '#kit/server/context.ts'
import { demoDealer } from '#features/partners/affiliates/server/index.ts'
import { openSession, sessionOf } from '#features/base/session/server/index.ts'
import * as calls from '../endpoints.ts'
import { discardDemo } from './discard.ts'
import { mark, openDemoOffice } from './offices.ts'
import { openDemoBusiness } from './fill.ts'
import { plumber } from './world.ts'

export { companyTables } from './discard.ts'
export { openDemoBusiness } from './fill.ts'
export { businesses } from './world.ts'

const openDemo = (app: App, language: Language) =>
  openDemoBusiness(app, plumber, { email: `demo-${mark()}@pinkas.example`, password: newToken(), language })

export const implementations = [
  implementOpen(calls.openDemo, async (ctx, { language }) => {
    if (!ctx.app.settings.development) throw fail('demo.off')
    const { companyId, userId } = await openDemo(ctx.app, language)
    return asSystem(ctx.app.db, async (tx) =>
      sessionOf(tx, await openSession({ ...ctx, tx }, userId, companyId)),
    )
  }),
  implementOpen(calls.openDemoOffice, async (ctx, { language }) => {
    if (!ctx.app.settings.development) throw fail('demo.off')
    const { userId, companyId } = await openDemoOffice(ctx.app, language)
    return asSystem(ctx.app.db, async (tx) =>
      sessionOf(tx, await openSession({ ...ctx, tx }, userId, companyId)),
    )
  }),
  implementOpen(calls.openDemoDealer, async (ctx) => {
    if (!ctx.app.settings.development) throw fail('demo.off')
    const known = await demoDealer(ctx.app)
    // The first demo of an installation creates the person.
    if (!known) await openDemo(ctx.app, 'he')
    const dealer = known ?? (await demoDealer(ctx.app))
    if (!dealer) throw fail('demo.off')
    return asSystem(ctx.app.db, async (tx) =>
      sessionOf(tx, await openSession({ ...ctx, tx }, dealer.userId, dealer.companyId)),
    )
  }),
  implement(calls.discardDemo, discardDemo),
]
