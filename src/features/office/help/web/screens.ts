import type { Screen } from '#kit/describe/screen.ts'
import { call } from '#kit/web/calls/call.ts'
import { fetchPart } from '#kit/web/calls/fetchPart.ts'
import { session } from '#kit/web/session/session.ts'
import { fitShell, onSession, provideHelp } from '#kit/web/shell/registry.ts'
import { afterFirstScreen } from '#kit/web/hooks/useWhenIdle.ts'
import { helpNews } from '../endpoints.ts'

provideHelp(() => fetchPart(() => import('./Beside.tsx')).then(({ Beside }) => Beside))

// Whether there is news nobody waits for: it is asked when the first screen has had its time.
onSession(() => {
  const whose = session()?.UserKey
  void afterFirstScreen()
    .then(() => (session()?.UserKey === whose && whose ? call(helpNews, {}) : undefined))
    .then(async (news) => {
      if (!news) return
      fitShell({ news: news.count > 0 })
      if (news.changed) (await fetchPart(() => import('./Changed.tsx'))).announce(news.changed)
    })
    .catch(() => undefined)
})

const shared = { open: 'login', feature: 'help' } as const

export const screens: Screen[] = [
  {
    ...shared,
    name: 'questions',
    path: '/invoice/questions',
    menu: { group: 'help', icon: 'book-open', order: 10 },
    load: () => import('./Questions.tsx'),
  },
  {
    ...shared,
    name: 'videos',
    path: '/invoice/videos',
    menu: { group: 'help', icon: 'play', order: 15 },
    load: () => import('./Videos.tsx'),
  },
  {
    ...shared,
    name: 'releaseNotes',
    path: '/invoice/releasenotes',
    menu: { group: 'help', icon: 'sparkles', order: 40 },
    load: () => import('./ReleaseNotes.tsx'),
  },
]
