import { CheckCheck } from 'lucide-react'
import { useState } from 'react'
import { formatMoment } from '#domain/format.ts'
import { call, failureText, useCall } from '#kit/web/calls/call.ts'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { SideSheet } from '#kit/web/parts/Dialog.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { cardPath } from '#kit/web/screens/resources.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { customers } from '../customers.ts'
import { decideProposal, listProposals, type Proposal } from '../endpoints.ts'
import { refreshCustomers } from './actions.tsx'
import './parties.css'

/** What known customers wrote into the form: the business decides what it takes over. */
export function ProposalsSheet({ onClose }: { onClose: () => void }) {
  const t = useWords()
  const { data, error } = useCall(listProposals, {})
  return (
    <SideSheet isOpen onClose={onClose} title={t('customers.proposals.title')}>
      <div className="pa-stack">
        <p className="sub">{t('customers.proposals.text')}</p>
        {error ? (
          <Note tone="late">{failureText(t, error)}</Note>
        ) : !data ? (
          <Skeleton lines={4} />
        ) : data.rows.length === 0 ? (
          <EmptyState icon={CheckCheck} title={t('customers.proposals.none')} />
        ) : (
          data.rows.map((row) => <One key={row.id} of={row} />)
        )}
      </div>
    </SideSheet>
  )
}

const CONSENT = 'consent'

function One({ of: row }: { of: Proposal }) {
  const t = useWords()
  const offered = [...row.changes.map(({ field }) => field), ...(row.consents ? [CONSENT] : [])]
  // Missing values are accepted unless a person declines; what would be overwritten is chosen by hand.
  const [take, setTake] = useState<readonly string[]>(() =>
    offered.filter(
      (name) => name === CONSENT || row.changes.some(({ field, now }) => field === name && !now),
    ),
  )
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState<string>()
  const decide = async (input: { take?: string[]; asNew?: boolean }) => {
    setBusy(true)
    try {
      await call(decideProposal, { id: row.id, ...input })
      await refreshCustomers()
    } catch (e) {
      setFailed(failureText(t, e))
      setBusy(false)
    }
  }
  const tick = (field: string) => (on: boolean) =>
    setTake(on ? [...take, field] : take.filter((one) => one !== field))
  return (
    <Card
      title={
        <a className="link" href={cardPath(customers, row.partyId)} target="_blank" rel="noreferrer">
          <bdi>{row.name}</bdi>
        </a>
      }
      hint={<Num>{formatMoment(new Date(row.at))}</Num>}
    >
      <div className="pa-stack">
        <p className="hint text-13">{row.by.map((by) => t(`customers.sameness.${by}`)).join(' · ')}</p>
        {failed && <Note tone="late">{failed}</Note>}
        {row.changes.map(({ field, now, given }) => (
          <FlagField
            key={field}
            label={
              <>
                {t(`customers.fields.${field}`)}: <bdi>{given}</bdi>
              </>
            }
            hint={now ? t('customers.proposals.now', { value: now }) : t('customers.proposals.nowNothing')}
            value={take.includes(field)}
            onChange={tick(field)}
          />
        ))}
        {row.consents && (
          <FlagField
            label={t('customers.proposals.consent')}
            value={take.includes(CONSENT)}
            onChange={tick(CONSENT)}
          />
        )}
        <div className="pa-bar">
          <Button
            kind="primary"
            size="s"
            busy={busy}
            onPress={() => void decide({ take: [...take] })}
            {...(take.length > 0 ? {} : { blocked: t('customers.proposals.nothing') })}
          >
            {t('customers.proposals.take')}
          </Button>
          <Button size="s" busy={busy} onPress={() => void decide({ asNew: true })}>
            {t('customers.proposals.asNew')}
          </Button>
          <Button kind="quiet" size="s" busy={busy} onPress={() => void decide({})}>
            {t('customers.proposals.dismiss')}
          </Button>
        </div>
      </div>
    </Card>
  )
}
