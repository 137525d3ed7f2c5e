import { Failure } from '#kit/describe/errors.ts'
import type { App, OpenCtx } from '#kit/server/context.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { dayInJerusalem } from '#domain/day.ts'
import { registerOwnPage, registerShortcut, type OwnPage } from '#kit/server/http/ownPages.ts'
import { longPath, showPublic } from './page.ts'

const openCtx = (app: App, tx: OpenCtx['tx']): OpenCtx => {
  const now = app.now()
  return {
    app,
    tx,
    now,
    today: dayInJerusalem(now),
    address: '',
    agent: '',
    language: 'he',
    token: undefined,
  }
}

const page = (isForFrames: boolean): OwnPage => ({
  file: 'pay.html',
  open: async (app, key, query, isFramed) => {
    try {
      // Without a transaction around it: it opens one inside the business, and must not hold a connection
      // while it waits for another.
      const laid = await showPublic(openCtx(app, app.db.kysely as unknown as OpenCtx['tx']), {
        key,
        language: query.get('lang') ?? undefined,
        framed: isForFrames || isFramed ? '1' : '0',
      })
      return { language: laid.page.language, laid, framedBy: isForFrames ? laid.sites : [] }
    } catch (e) {
      if (e instanceof Failure) return undefined
      throw e
    }
  },
})
registerOwnPage('/paymentpage', page(false))
registerOwnPage('/payment2', page(true))

registerShortcut('/p', (app, code) =>
  /^[a-z2-9]{8}$/i.test(code) ? asSystem(app.db, (tx) => longPath(tx, code)) : Promise.resolve(undefined),
)
