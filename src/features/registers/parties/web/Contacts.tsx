import { Archive, Contact, Pencil, Plus } from 'lucide-react'
import { useState, type ComponentType, type ReactNode } from 'react'
import type { LucideIcon } from 'lucide-react'
import { failureText, useCall } from '#kit/web/calls/call.ts'
import { EmailCell, PhoneCell } from '#kit/web/fields/cells.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { toastOnce } from '#kit/web/parts/notices.ts'
import { callsOf, type AnyResource, type AnyRow } from '#kit/web/screens/resources.ts'
import { RecordSheet } from '#kit/web/screens/RecordSheet.tsx'
import { moveRecords } from '#kit/web/screens/useList.ts'
import { useCan } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { customerContacts, type CustomerContact } from '../people.ts'
import { refreshCustomers } from './actions.tsx'
import './parties.css'

/** The people of a customer: how to reach each, and who gets what. */
export const Contacts = ({ row }: { row: AnyRow }) => (
  <Belongings
    resource={customerContacts}
    icon={Contact}
    partyId={row.id}
    isOff={row.archivedAt !== null}
    Inside={Person}
  />
)

function Person({ row }: { row: AnyRow & CustomerContact }) {
  const t = useWords()
  return (
    <>
      {row.phone && <PhoneCell value={row.phone} />}
      {row.email && <EmailCell value={row.email} />}
      {row.notes && (
        <span className="sub" dir="auto">
          {row.notes}
        </span>
      )}
      {(row.getsInvoices || row.getsReminders) && (
        <span className="pa-marks">
          {row.getsInvoices && (
            <StatusPill dot={false}>{t('customerContacts.fields.getsInvoices')}</StatusPill>
          )}
          {row.getsReminders && (
            <StatusPill dot={false}>{t('customerContacts.fields.getsReminders')}</StatusPill>
          )}
        </span>
      )}
    </>
  )
}

interface BelongingsProps {
  resource: AnyResource
  icon: LucideIcon
  partyId: string
  /** Nothing is added to a customer put away. */
  isOff: boolean
  Inside: ComponentType<{ row: any }>
  title?: (row: AnyRow) => ReactNode
}

/** Records that belong to a customer, each on a separate card. */
export function Belongings({ resource, icon, partyId, isOff, Inside, title }: BelongingsProps) {
  const t = useWords()
  const may = useCan()
  const mayChange = may(resource.allow.change) && !isOff
  const { data, error } = useCall(callsOf(resource).list, { partyId, size: 200 })
  const [sheet, setSheet] = useState<{ row?: AnyRow }>()
  const word = (key: string) => t(`${resource.name}.${key}`)
  const putAway = (row: AnyRow) =>
    void toastOnce(
      moveRecords(resource, [row.id], 'archive'),
      t('kit.lists.done.archive', { count: 1 }),
      () => void moveRecords(resource, [row.id], 'restore').then(refreshCustomers),
    )
      .then(refreshCustomers)
      .catch((e: unknown) => banner.error(failureText(t, e)))
  const rows = data?.rows ?? []
  return (
    <div className="pa-stack">
      {error && <Note tone="late">{failureText(t, error)}</Note>}
      {!data && !error && <Skeleton lines={4} />}
      {data && rows.length === 0 && (
        <EmptyState
          icon={icon}
          title={word('empty.title')}
          actions={
            mayChange && (
              <Button kind="soft" icon={Plus} onPress={() => setSheet({})}>
                {word('new')}
              </Button>
            )
          }
        >
          {word('empty.text')}
        </EmptyState>
      )}
      {rows.length > 0 && mayChange && (
        <div>
          <Button icon={Plus} onPress={() => setSheet({})}>
            {word('new')}
          </Button>
        </div>
      )}
      {rows.length > 0 && (
        <div className="pa-cards">
          {rows.map((row) => (
            <Card key={row.id}>
              <div className="pa-person">
                <div className="top">
                  <span className="grow">
                    <b>
                      <bdi>{title ? title(row) : String(row[resource.title])}</bdi>
                    </b>
                    {resource.hint && row[resource.hint] ? (
                      <span className="sub block">{String(row[resource.hint])}</span>
                    ) : null}
                  </span>
                  {mayChange && (
                    <>
                      <Button
                        kind="quiet"
                        size="s"
                        icon={Pencil}
                        label={t('kit.lists.edit')}
                        onPress={() => setSheet({ row })}
                      />
                      <Button
                        kind="quiet"
                        size="s"
                        icon={Archive}
                        label={t('kit.lists.archive')}
                        onPress={() => putAway(row)}
                      />
                    </>
                  )}
                </div>
                <Inside row={row} />
              </div>
            </Card>
          ))}
        </div>
      )}
      {sheet && (
        <RecordSheet
          resource={resource}
          {...(sheet.row ? { record: sheet.row } : { values: { partyId } })}
          onClose={() => setSheet(undefined)}
          onSaved={() => {
            setSheet(undefined)
            banner.success(t('kit.forms.saved'))
            void refreshCustomers()
          }}
        />
      )}
    </div>
  )
}
