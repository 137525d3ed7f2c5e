import { Failure } from '#kit/describe/errors.ts'
import type { App, OpenCtx } from '#kit/server/context.ts'
import { asSystem } from '#kit/server/db.ts'
import { dayInJerusalem } from '#domain/day.ts'
import { registerOwnPage, registerShortcut } from '#kit/server/ownPages.ts'
import { longPath, showPublic } from './page.ts'

const openCtx = (app: App, tx: OpenCtx['tx']): OpenCtx => {
  const now = app.now()
  return { app, tx, now, today: dayInJerusalem(now), address: '', agent: '', language: 'he', token: undefined }
}

for (const path of ['/paymentpage', '/payment2'])
  registerOwnPage(path, {
    file: 'pay.html',
    open: async (app, key, query, isFramed) => {
      try {
        const laid = await asSystem(app.db, (tx) =>
          showPublic(openCtx(app, tx), {
            key,
            language: query.get('lang') ?? undefined,
            framed: isFramed || path === '/payment2' ? '1' : '0',
          }),
        )
        return { language: laid.page.language, laid, framedBy: path === '/payment2' ? laid.sites : [] }
      } catch (e) {
        if (e instanceof Failure) return undefined
        throw e
      }
    },
  })

registerShortcut('/p', (app, code) =>
  /^[a-z2-9]{8}$/i.test(code) ? asSystem(app.db, (tx) => longPath(tx, code)) : Promise.resolve(undefined),
)
