import '#kit/web/theme/app.css'
import { startApp } from '#kit/web/App.tsx'
import { screens as waysIn } from '#features/office/entrance/web/screens.ts'
import { account } from '#features/base/session/web/index.tsx'
import { screens as resets } from '#features/base/session/web/screens.ts'

startApp({
  waysIn: { screens: [...waysIn, ...resets], links: [] },
  // Before the log-in page nobody waits for what is behind it.
  whole: async () => {
    const { webFeatures } = await import('./webFeatures.tsx')
    return {
      screens: webFeatures.flatMap(({ screens }) => screens),
      links: webFeatures.flatMap(({ links = [] }) => links),
    }
  },
  account,
  at: document.getElementById('app')!,
})
