import { inBusiness, type Screen } from '#kit/describe/screen.ts'
import { onSession, provideTurnOn } from '#kit/web/shell/registry.ts'
import '../rules.ts'

export const screens: Screen[] = [
  {
    name: 'modules',
    users: inBusiness,
    path: '/invoice/modules',
    open: 'login',
    feature: 'modules',
    menu: { group: 'settings', icon: 'blocks', order: 60 },
    settings: [{ key: 'modules', group: 'business', order: 60, finds: ['modules.named.', 'areas.'] }],
    load: () => import('./Modules.tsx'),
  },
]

onSession(() =>
  setTimeout(
    () => void import('./paid.ts').then(({ learnModules }) => learnModules()).catch(() => undefined),
    200,
  ),
)

provideTurnOn(async (areas) => {
  const { choose } = await import('./Trades.tsx')
  await choose({ areas: Object.fromEntries(areas.map((area) => [area, true])) })
})
