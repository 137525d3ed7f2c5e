import { MapPin } from 'lucide-react'
import { PhoneCell } from '#kit/web/fields/cells.tsx'
import type { AnyRow } from '#kit/web/screens/resources.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { customerAddresses, type CustomerAddress } from '../people.ts'
import { Belongings } from './Contacts.tsx'

/** The places of a customer: for documents, for goods, for work. */
export function Addresses({ row }: { row: AnyRow }) {
  const t = useWords()
  return (
    <Belongings
      resource={customerAddresses}
      icon={MapPin}
      partyId={row.id}
      isOff={row.archivedAt !== null}
      title={(one) => t(`customerAddresses.kind.${String(one.kind)}`)}
      Inside={Place}
    />
  )
}

function Place({ row }: { row: AnyRow & CustomerAddress }) {
  const lines = [row.name, row.street, row.zip, row.country, row.contact].filter(Boolean)
  return (
    <>
      {lines.map((line, i) => (
        <span key={i} dir="auto">
          {line}
        </span>
      ))}
      {row.phone && <PhoneCell value={row.phone} />}
      {row.notes && (
        <span className="sub" dir="auto">
          {row.notes}
        </span>
      )}
    </>
  )
}
