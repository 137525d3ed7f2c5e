import { BriefcaseBusiness, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { formatMoment } from '#domain/format.ts'
import type { OutputOf } from '#kit/describe/endpoint.ts'
import { call, keyOf, queryClient, useCall } from '#kit/web/calls/call.ts'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { ReasonDialog } from '#kit/web/parts/ReasonDialog.tsx'
import { monthWords } from '#kit/web/parts/MonthSteps.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { useCan } from '#kit/web/session/session.ts'
import { useLanguage, useWords } from '#kit/web/words/words.tsx'
import { consentOffice, endOffice, myOffices, type EngagementRight } from '../endpoints.ts'
import { RightTicks } from './Manager.tsx'
import './practice.css'

type Office = OutputOf<typeof myOffices>['rows'][number]
const refresh = () => queryClient.invalidateQueries({ queryKey: keyOf(myOffices) })

/**
 * The office that works in this business, or asks to: who comes in, what they may, what they signed. Nothing
 * where there is none.
 */
export function OfficesPanel() {
  const t = useWords()
  const { lang } = useLanguage()
  const may = useCan()
  const { data } = useCall(myOffices, {}, { enabled: may('accountant.see') })
  const [dialog, setDialog] = useState<{ office: Office; deed: 'agree' | 'end' }>()
  if (!data || data.rows.length === 0) return null
  return (
    <>
      {data.rows.map((office) => (
        <Card
          key={office.officeId}
          title={office.name}
          end={
            <StatusPill tone={office.state === 'active' ? 'done' : 'wait'}>
              {t(`practice.engagement.${office.state}`)}
            </StatusPill>
          }
        >
          <p>
            {office.state === 'asked'
              ? t('practice.asksYou')
              : office.rights.length
                ? office.rights.map((right) => t(`practice.right.${right}`)).join(' · ')
                : t('practice.maySee')}
          </p>
          {office.people.length > 0 && (
            <ul className="of-marks">
              {office.people.map((person) => (
                <li key={person.name}>
                  <bdi>{person.name}</bdi>
                  {person.seenAt && (
                    <span className="hint">
                      {' · '}
                      {t('practice.seenAt')} <Num>{formatMoment(new Date(person.seenAt))}</Num>
                    </span>
                  )}
                </li>
              ))}
            </ul>
          )}
          {may('accountant.change') && (
            <div className="of-row">
              <Button
                kind={office.state === 'asked' ? 'primary' : 'plain'}
                icon={BriefcaseBusiness}
                onPress={() => setDialog({ office, deed: 'agree' })}
              >
                {t(office.state === 'asked' ? 'practice.agree' : 'practice.changeRights')}
              </Button>
              <Button kind="quiet" icon={Trash2} onPress={() => setDialog({ office, deed: 'end' })}>
                {t(office.state === 'asked' ? 'practice.refuse' : 'practice.endOffice')}
              </Button>
            </div>
          )}
        </Card>
      ))}
      {data.months.length > 0 && (
        <Card title={t('practice.monthsOfOffice')}>
          <ul className="of-marks">
            {data.months.map((one) => (
              <li key={one.month}>
                {monthWords(one.month, lang)} · {t('practice.signedLines', { count: one.signed })}
                {one.isClosed && <> · {t('practice.closedMonth')}</>}
                {one.isPaid && <> · {t('practice.closing.paid')}</>}
                {one.note && (
                  <>
                    {' · '}
                    <bdi>{one.note}</bdi>
                  </>
                )}
              </li>
            ))}
          </ul>
        </Card>
      )}
      {dialog?.deed === 'agree' && <AgreeDialog of={dialog.office} onClose={() => setDialog(undefined)} />}
      {dialog?.deed === 'end' && <EndDialog of={dialog.office} onClose={() => setDialog(undefined)} />}
    </>
  )
}

function AgreeDialog({ of, onClose }: { of: Office; onClose: () => void }) {
  const t = useWords()
  const [rights, setRights] = useState<EngagementRight[]>(of.rights)
  return (
    <FormDialog
      title={t('practice.invitation.title', { office: of.name })}
      verb={t(of.state === 'asked' ? 'practice.agree' : 'kit.forms.save')}
      names={[]}
      onClose={onClose}
      onSubmit={async () => {
        await call(consentOffice, { officeId: of.officeId, rights })
        await refresh()
        onClose()
      }}
    >
      {() => <RightTicks value={rights} onChange={setRights} />}
    </FormDialog>
  )
}

function EndDialog({ of, onClose }: { of: Office; onClose: () => void }) {
  const t = useWords()
  return (
    <ReasonDialog
      title={t('practice.endAsk', { office: of.name })}
      verb={t(of.state === 'asked' ? 'practice.refuse' : 'practice.endOffice')}
      danger
      label={t('practice.reason')}
      optional
      onClose={onClose}
      onReason={async (reason) => {
        await call(endOffice, { officeId: of.officeId, reason })
        await refresh()
        onClose()
      }}
    >
      <p>{t('practice.endText')}</p>
    </ReasonDialog>
  )
}
