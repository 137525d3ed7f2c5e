import { ListScreen } from '#kit/web/screens/ListScreen.tsx'
import type { AnyRow } from '#kit/web/screens/resources.ts'
import { savedCards } from '../savedCards.ts'
import { AskButton } from './AskButton.tsx'
import './dress.tsx'
import { openCard } from './open.tsx'
import './savedCards.css'

export function List({ customerId }: { customerId: string }) {
  return (
    <ListScreen
      resource={savedCards}
      embedded
      fixed={{ customerId }}
      archive={false}
      newHref={false}
      onOpen={(row) => openCard(row.id)}
    />
  )
}

/** The cards of a customer, on the customer card. */
export function Panel({ row }: { row: AnyRow }) {
  return (
    <div className="sc-stack">
      <div>
        <AskButton customerId={row.id} />
      </div>
      <List customerId={row.id} />
    </div>
  )
}
