import { MapPin, Pencil } from 'lucide-react'
import { useState } from 'react'
import { FieldMessage } from '#kit/web/fields/Field.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Chip } from '#kit/web/parts/Status.tsx'
import { useCall } from '#kit/web/calls/call.ts'
import { callsOf } from '#kit/web/screens/resources.ts'
import { useCan } from '#kit/web/session/session.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { customerAddresses, type CustomerAddress } from '#features/registers/parties/people.ts'
import type { DeliverTo } from '../../endpoints.ts'
import { deliversTo, type Edited } from './model.ts'

const parts = ['name', 'street', 'city', 'zip', 'country', 'contact', 'phone', 'notes'] as const
const max: Record<(typeof parts)[number], number> = {
  name: 120,
  street: 120,
  city: 80,
  zip: 10,
  country: 60,
  contact: 120,
  phone: 25,
  notes: 1000,
}
const nowhere: DeliverTo = {
  name: '',
  street: '',
  city: '',
  zip: '',
  country: '',
  contact: '',
  phone: '',
  notes: '',
}

const placeOf = (address: CustomerAddress): DeliverTo =>
  Object.fromEntries(parts.map((part) => [part, String(address[part] ?? '')])) as unknown as DeliverTo
const inOneLine = (place: DeliverTo): string =>
  parts
    .map((part) => place[part])
    .filter(Boolean)
    .join(', ')

export interface DeliverToProps {
  label: string
  edited: Edited
  put: (change: Pick<Edited, 'deliverTo'>) => void
  error: string | undefined
}

/**
 * Where the goods go: one of the customer's places by a press, or one that is written for this paper alone.
 */
export function DeliverToField({ label, edited, put, error }: DeliverToProps) {
  const t = useWords()
  const may = useCan()
  const [isOpen, setOpen] = useState(false)
  const partyId = edited.customer?.id ?? ''
  const { data } = useCall(
    callsOf(customerAddresses).list,
    { partyId, size: 50 },
    { enabled: partyId !== '' && may(customerAddresses.allow.see) },
  )
  const places = (partyId ? ((data?.rows ?? []) as unknown as CustomerAddress[]) : []).filter((row) =>
    inOneLine(placeOf(row)),
  )
  const own = places.filter((row) => row.kind === 'delivery')
  // As the server does when nothing is said.
  const unasked = deliversTo(edited) && own.length === 1 ? placeOf(own[0]!) : null
  const place = edited.deliverTo === undefined ? unasked : edited.deliverTo
  const line = place ? inOneLine(place) : ''
  return (
    <div
      className="k-field doc-deliver"
      role="group"
      aria-label={label}
      data-refused={error ? '' : undefined}
    >
      <span className="k-label">{label}</span>
      {line !== '' && !isOpen && (
        <p dir="auto" className="doc-deliver-line">
          {line}
        </p>
      )}
      <div className="doc-chips">
        {places
          .filter((row) => inOneLine(placeOf(row)) !== line)
          .map((row) => (
            <Chip
              key={row.id}
              icon={MapPin}
              onPress={() => {
                put({ deliverTo: placeOf(row) })
                setOpen(false)
              }}
            >
              {t(`customerAddresses.kind.${row.kind}`)}
              {': '}
              <bdi>{[row.name, row.street, row.city].filter(Boolean).join(', ')}</bdi>
            </Chip>
          ))}
        {!isOpen && (
          <Button kind="quiet" size="s" icon={Pencil} onPress={() => setOpen(true)}>
            {t(line === '' ? 'documents.editor.deliverWrite' : 'documents.editor.deliverChange')}
          </Button>
        )}
      </div>
      {isOpen && (
        <div className="doc-deliver-parts">
          {parts.map((part, i) => (
            <TextField
              key={part}
              label={t(`customerAddresses.fields.${part}`)}
              value={place?.[part] ?? ''}
              onChange={(value) => put({ deliverTo: { ...(place ?? nowhere), [part]: value } })}
              max={max[part]}
              ltr={part === 'phone'}
              autoFocus={i === 0}
            />
          ))}
        </div>
      )}
      <FieldMessage error={error} />
    </div>
  )
}
