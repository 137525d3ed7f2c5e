import { useCall } from '#kit/web/calls/call.ts'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { usePlace } from '#kit/web/routes/place.ts'
import { callsOf, resourceNamed } from '#kit/web/screens/resources.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { AskButton } from './AskButton.tsx'
import { List } from './Tab.tsx'
import './savedCards.css'

/** The cards of one customer, on a separate page. */
export function Screen() {
  const t = useWords()
  const id = usePlace().params.customerid ?? ''
  const { data } = useCall(callsOf(resourceNamed('customers')!).get, { id } as never, { retry: false })
  const name = (data as { name?: string } | undefined)?.name
  return (
    <div className="sc-stack">
      <PageHeader
        title={t('screens.saveCards')}
        sub={name && <bdi>{name}</bdi>}
        crumbs={[{ label: t('screens.saveCards'), href: '/invoice/savecards' }]}
        actions={<AskButton customerId={id} />}
      />
      <List customerId={id} />
    </div>
  )
}
