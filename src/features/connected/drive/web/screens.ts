import type { Screen } from '#kit/describe/screen.ts'
import { registerPart } from '#kit/web/screens/places.ts'
import '../rules.ts'

const shared = { open: 'login', feature: 'drive', rule: 'drive' } as const

export const screens: Screen[] = [
  {
    ...shared,
    name: 'drive',
    path: '/invoice/drive',
    menu: { group: 'settings', icon: 'cloud-upload', order: 73, more: true },
    settings: [{ key: 'drive', group: 'connections', order: 13, finds: ['drive.fields.'] }],
    load: () => import('./Drive.tsx'),
  },
  // Google sends people back here, whether they are still logged in or not; the page says who may go on.
  {
    ...shared,
    open: 'anyone',
    name: 'connectGoogleDrive',
    path: '/connectgoogledrive',
    load: () => import('./ConnectGoogleDrive.tsx'),
  },
]

registerPart('onlineMarket', () => import('./MarketPart.tsx'))
