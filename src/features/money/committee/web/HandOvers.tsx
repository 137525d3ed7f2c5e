import { Copy, Download, Handshake, Link2, Link2Off } from 'lucide-react'
import { useState } from 'react'
import { dayInJerusalem } from '#domain/day.ts'
import { formatDay, formatMoment, formatMoney } from '#domain/format.ts'
import { call, callFile, failureText, useCall } from '#kit/web/calls/call.ts'
import { MoneyCell } from '#kit/web/fields/cells.tsx'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { EmailField } from '#kit/web/fields/ContactFields.tsx'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { LongText, TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { callsOf } from '#kit/web/screens/resources.ts'
import { useCan } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useCopy } from '#kit/web/hooks/useCopy.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { mySession } from '#features/base/session/endpoints.ts'
import { workers } from '#features/base/team/workers.ts'
import {
  handOver,
  handOverPackage,
  listHandOvers,
  setHandOverPage,
  type Grid,
  type HandOver,
} from '../endpoints.ts'
import { refreshHouse } from './house.ts'

const ways = ['none', 'committee', 'everything'] as const

/** To the next committee, in one confirmed step: the package, the access of both, and the new treasurer. */
export function HandOverDialog({
  of,
  houses,
  onClose,
  onDone,
}: {
  of: Grid
  houses: number
  onClose: () => void
  onDone: () => void
}) {
  const t = useWords()
  const may = useCan()
  const team = may('workers.change') && may('workers.see')
  const me = useCall(mySession, {}, { staleTime: 600_000, enabled: team }).data?.email
  const { data: people } = useCall(callsOf(workers).list, { size: 100 }, { enabled: team })
  const [to, setTo] = useState('')
  const [email, setEmail] = useState('')
  const [things, setThings] = useState('')
  const [joins, setJoins] = useState<(typeof ways)[number]>('none')
  const [ends, setEnds] = useState<readonly string[]>([])
  const [confirmed, setConfirmed] = useState(false)
  const others =
    me === undefined ? [] : (people?.rows ?? []).filter((one) => one.state === 'active' && one.email !== me)
  return (
    <FormDialog
      title={t('committee.handOver.title')}
      verb={t('committee.handOver.verb')}
      danger
      isDisabled={!confirmed}
      names={['to', 'email', 'things', 'joins', 'confirmed']}
      onClose={onClose}
      onSubmit={async () => {
        const { balanceAgorot, debtsAgorot } = await call(handOver, {
          id: of.building.id,
          to,
          email: email.trim(),
          things,
          joins,
          ends: [...ends],
          confirmed: true,
        })
        await refreshHouse()
        banner.success(
          t('committee.handOver.done', {
            balance: formatMoney(balanceAgorot),
            debts: formatMoney(debtsAgorot),
          }),
        )
        onDone()
      }}
    >
      {(error) => (
        <div className="vd-form">
          <p>{t('committee.handOver.text')}</p>
          <TextField
            label={t('committee.handOver.to')}
            value={to}
            onChange={setTo}
            max={120}
            {...error('to', to)}
          />
          <EmailField
            label={t('committee.handOver.email')}
            hint={t('committee.handOver.emailHint')}
            optional={joins === 'none'}
            value={email}
            onChange={setEmail}
            {...error('email', email)}
          />
          <LongText
            label={t('committee.handOver.things')}
            placeholder={t('committee.handOver.thingsHint')}
            optional
            value={things}
            onChange={setThings}
            max={2000}
            {...error('things', things)}
          />
          {team && (
            <ChoiceField
              label={t('committee.handOver.joins.label')}
              hint={
                joins === 'none'
                  ? undefined
                  : t(houses > 1 ? 'committee.handOver.joins.allHouses' : 'committee.handOver.joins.invited')
              }
              as="list"
              value={joins}
              onChange={(next) => next && setJoins(next)}
              choices={ways.map((value) => ({ value, label: t(`committee.handOver.joins.${value}`) }))}
              {...error('joins', joins)}
            />
          )}
          {others.length > 0 && (
            <fieldset className="vd-ends">
              <legend>{t('committee.handOver.ends')}</legend>
              {others.map((one) => (
                <FlagField
                  key={one.id}
                  label={<bdi>{String(one.name)}</bdi>}
                  value={ends.includes(one.id)}
                  onChange={(on) => setEnds(on ? [...ends, one.id] : ends.filter((id) => id !== one.id))}
                />
              ))}
              <p className="hint text-12">{t('committee.handOver.endsHint')}</p>
            </fieldset>
          )}
          <FlagField label={t('committee.handOver.confirm')} value={confirmed} onChange={setConfirmed} />
        </div>
      )}
    </FormDialog>
  )
}

/** Who handed the house over to whom and when, with the package of each time. */
export function HandOvers({
  houseId,
  onHandOver,
}: {
  houseId: string
  onHandOver: (() => void) | undefined
}) {
  const t = useWords()
  const { data, error, refetch } = useCall(listHandOvers, { id: houseId })
  if (!data) return error ? <Note tone="late">{failureText(t, error)}</Note> : <Skeleton lines={6} />
  if (!data.rows.length)
    return (
      <EmptyState
        icon={Handshake}
        title={t('committee.handOver.none')}
        actions={
          onHandOver && (
            <Button icon={Handshake} onPress={onHandOver}>
              {t('committee.handOver.title')}
            </Button>
          )
        }
      >
        {t('committee.handOver.noneText')}
      </EmptyState>
    )
  return (
    <div className="vd-stack">
      {data.rows.map((one) => (
        <One key={one.id} of={one} decides={onHandOver !== undefined} refresh={() => void refetch()} />
      ))}
    </div>
  )
}

function One({ of, decides, refresh }: { of: HandOver; decides: boolean; refresh: () => void }) {
  const t = useWords()
  const copy = useCopy()
  const [busy, setBusy] = useState(false)
  const during = async (work: () => Promise<unknown>) => {
    setBusy(true)
    try {
      await work()
    } catch (e) {
      banner.error(failureText(t, e))
    } finally {
      setBusy(false)
    }
  }
  const page = (on: boolean) =>
    during(async () => {
      const { url } = await call(setHandOverPage, { id: of.id, on })
      if (url) copy(url, t('committee.handOver.linkMade'))
      else banner.success(t('committee.handOver.linkClosed'))
      refresh()
    })
  return (
    <Card
      title={t('committee.handOver.fromTo', { from: of.fromName, to: of.toName })}
      end={
        <StatusPill tone={of.takenAt ? 'done' : 'wait'}>
          {of.takenAt
            ? t('committee.handOver.takenOn', { day: formatDay(dayInJerusalem(new Date(of.takenAt))) })
            : t('committee.handOver.notTaken')}
        </StatusPill>
      }
      flush
    >
      <ul className="vd-list">
        <li>
          <span>{t('committee.handOver.when')}</span>
          <span>
            <Num>{formatMoment(new Date(of.at))}</Num>
            {of.byName && (
              <>
                {' '}
                · <bdi>{of.byName}</bdi>
              </>
            )}
          </span>
        </li>
        <li>
          <span>{t('committee.balance')}</span>
          <MoneyCell value={of.balanceAgorot} />
        </li>
        <li>
          <span>{t('committee.debts')}</span>
          <MoneyCell value={of.debtsAgorot} />
        </li>
        {of.hasPackage && (
          <li>
            <span>{t('committee.handOver.package')}</span>
            <span>
              {t('committee.handOver.residentsCount', { count: of.residents })} ·{' '}
              {t('committee.handOver.papersCount', { count: of.papers })}
            </span>
          </li>
        )}
        {of.email && (
          <li>
            <span>{t('committee.handOver.sentTo')}</span>
            <bdi>{of.email}</bdi>
          </li>
        )}
        {of.things && (
          <li>
            <span className="what">
              <span>{t('committee.handOver.things')}</span>
              <span className="hint text-12 vd-said" dir="auto">
                {of.things}
              </span>
            </span>
          </li>
        )}
        {of.hasPackage && (
          <li>
            <span className="vd-acts">
              <Button
                size="s"
                icon={Download}
                busy={busy}
                onPress={() => void during(() => callFile(handOverPackage, { id: of.id }))}
              >
                {t('committee.handOver.download')}
              </Button>
              {of.pageUrl && (
                <Button size="s" kind="quiet" icon={Copy} onPress={() => copy(of.pageUrl!)}>
                  {t('committee.handOver.copyLink')}
                </Button>
              )}
              {decides && (
                <Button
                  size="s"
                  kind="quiet"
                  icon={of.pageUrl ? Link2Off : Link2}
                  isDisabled={busy}
                  onPress={() => void page(!of.pageUrl)}
                >
                  {t(of.pageUrl ? 'committee.handOver.closeLink' : 'committee.handOver.newLink')}
                </Button>
              )}
            </span>
            {of.closesOn && (
              <span className="hint text-12">
                {t('committee.handOver.openUntil', { day: formatDay(of.closesOn) })}
              </span>
            )}
          </li>
        )}
      </ul>
    </Card>
  )
}
