import { Combine, Inbox, Link2, SlidersHorizontal, Tags, UserRoundCog } from 'lucide-react'
import { useCall } from '#kit/web/calls/call.ts'
import { Button } from '#kit/web/parts/Button.tsx'
import type { MenuEntry } from '#kit/web/parts/Menu.tsx'
import { Count } from '#kit/web/parts/Status.tsx'
import { ListScreen } from '#kit/web/screens/ListScreen.tsx'
import { useCan } from '#kit/web/session/session.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { customers } from '../customers.ts'
import { listProposals, listTags } from '../endpoints.ts'
import { openDoubles, openLink, openProposals } from './actions.tsx'
import './dress.tsx'

/** The customers, by name; behind the three dots what concerns the whole register. */
export function Screen() {
  const t = useWords()
  const may = useCan()
  const mayChange = may(customers.allow.change)
  useCall(listTags, {}, { staleTime: 60_000 })
  const more: MenuEntry[] = [
    ...(mayChange
      ? [
          { key: 'doubles', label: t('customers.doubles.do'), icon: Combine, onPress: openDoubles },
          { key: 'link', label: t('customers.link.do'), icon: Link2, onPress: openLink },
          'line' as const,
        ]
      : []),
    { key: 'types', label: t('customerTypes.title'), icon: Tags, href: '/invoice/CustomersTypes' },
    { key: 'statuses', label: t('customerStatuses.title'), icon: Tags, href: '/invoice/customerstatuses' },
    { key: 'portfolios', label: t('portfolios.title'), icon: UserRoundCog, href: '/invoice/portfolio' },
    ...(mayChange
      ? [
          {
            key: 'fields',
            label: t('customerFields.title'),
            icon: SlidersHorizontal,
            href: '/invoice/customerfields',
          },
        ]
      : []),
  ]
  return <ListScreen resource={customers} more={more} actions={mayChange && <Proposals />} />
}

/** How many changes that customers wrote themselves wait for a decision. */
function Proposals() {
  const t = useWords()
  const count = useCall(listProposals, {}).data?.rows.length ?? 0
  if (count === 0) return null
  return (
    <Button kind="quiet" icon={Inbox} onPress={openProposals}>
      {t('customers.proposals.do')} <Count tone="wait">{count}</Count>
    </Button>
  )
}
