import type { Screen } from '#kit/describe/screen.ts'
import '../rules.ts'

export const screens: Screen[] = [
  // The authority sends people back here, the person who is logged in by then.
  {
    name: 'taxDonation',
    path: '/taxdonation',
    open: 'anyone',
    rule: 'donations.change',
    feature: 'donations',
    menu: { group: 'tax', icon: 'heart-handshake', order: 95, more: true },
    settings: [{ key: 'taxDonation', group: 'connections', order: 6 }],
    load: () => import('./Donations.tsx'),
  },
]
