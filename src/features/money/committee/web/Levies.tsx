import { Building2, Hammer, Mail, Plus, Send, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { formatDay } from '#domain/format.ts'
import { call, failureText, useCall } from '#kit/web/calls/call.ts'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Figure, Figures } from '#kit/web/parts/Figure.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { Views } from '#kit/web/parts/Views.tsx'
import { go, usePlace, writeQuery } from '#kit/web/routes/place.ts'
import { useCan } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { Together } from '#kit/web/parts/Together.tsx'
import { FilesPanel } from '#features/base/files/web/index.tsx'
import { askLevy, dropLevy, grid, remindTenants } from '../endpoints.ts'
import { LevyDialog, PayDialog } from './Dialogs.tsx'
import { DuesGrid } from './DuesGrid.tsx'
import { lettersSaid, refreshHouse, useHouse } from './house.ts'
import './committee.css'

/** Special levies of a house: what the meeting decided, how it was split, and who paid which instalment. */
export function Screen() {
  const t = useWords()
  const { house, houses, error } = useHouse()
  if (!houses || !house)
    return (
      <>
        <PageHeader title={t('screens.vaadExtra')} />
        {error && !houses ? (
          <Note tone="late">{failureText(t, error)}</Note>
        ) : houses ? (
          <EmptyState
            icon={Building2}
            title={t('committee.noHouse')}
            actions={
              <Button kind="primary" icon={Plus} href="/invoice/vaadpaymonth?part=buildings">
                {t('committee.addHouse')}
              </Button>
            }
          >
            {t('committee.noHouseText')}
          </EmptyState>
        ) : (
          <Skeleton lines={10} />
        )}
      </>
    )
  return <Levies key={house.id} house={house} houses={houses} />
}

function Levies({
  house,
  houses,
}: {
  house: { id: string; name: string }
  houses: { id: string; name: string }[]
}) {
  const t = useWords()
  const may = useCan()
  const { query } = usePlace()
  const first = useCall(grid, { id: house.id })
  const chosen = first.data?.levies.find(({ id }) => id === query.levy) ?? first.data?.levies[0]
  const { data, isLoading } = useCall(
    grid,
    { id: house.id, ...(chosen ? { levyId: chosen.id } : {}) },
    { enabled: chosen !== undefined },
  )
  const [opens, setOpens] = useState(false)
  const [flat, setFlat] = useState<string>()
  const drop = async () => {
    try {
      await call(dropLevy, { id: chosen!.id })
      await refreshHouse()
      banner.success(t('committee.levy.dropped'))
    } catch (e) {
      banner.error(failureText(t, e))
    }
  }
  const ask = async () => {
    try {
      const { sent, withoutMail } = await call(askLevy, { id: chosen!.id })
      await refreshHouse()
      banner.success(
        [
          t('committee.levy.asked', { count: sent }),
          withoutMail ? t('committee.remind.withoutMail', { count: withoutMail }) : '',
        ]
          .filter(Boolean)
          .join(' '),
      )
    } catch (e) {
      banner.error(failureText(t, e))
    }
  }
  const remind = async () => {
    try {
      banner.success(lettersSaid(t, await call(remindTenants, { id: house.id, levyId: chosen!.id })))
    } catch (e) {
      banner.error(failureText(t, e))
    }
  }
  const decide = may('committee.decide')
  const change = may('committee.change')
  return (
    <Together waits={first.isLoading || isLoading}>
      <PageHeader
        title={`${t('screens.vaadExtra')} · ${house.name}`}
        actions={
          <>
            {change && chosen && chosen.toAsk > 0 && (
              <Button icon={Send} onPress={() => void ask()}>
                {t('committee.levy.ask', { count: chosen.toAsk })}
              </Button>
            )}
            {change && chosen && chosen.toAsk === 0 && chosen.owing > 0 && (
              <Button icon={Mail} onPress={() => void remind()}>
                {t('committee.remind.verb', { count: chosen.owing })}
              </Button>
            )}
            {decide && (
              <Button kind="primary" icon={Plus} onPress={() => setOpens(true)}>
                {t('committee.levy.new')}
              </Button>
            )}
          </>
        }
        more={[
          ...(change && chosen && chosen.toAsk > 0 && chosen.owing > 0
            ? [
                {
                  key: 'remind',
                  label: t('committee.remind.verb', { count: chosen.owing }),
                  icon: Mail,
                  onPress: () => void remind(),
                },
              ]
            : []),
          ...(decide && chosen && chosen.paidAgorot === 0
            ? [{ key: 'drop', label: t('committee.levy.drop'), icon: Trash2, onPress: () => void drop() }]
            : []),
          ...houses
            .filter((one) => one.id !== house.id)
            .map((one) => ({
              key: one.id,
              label: one.name,
              icon: Building2,
              onPress: () => go(`/invoice/vaadextra?house=${one.id}`),
            })),
        ]}
      >
        {first.data && first.data.levies.length > 1 && (
          <Views
            label={t('screens.vaadExtra')}
            value={chosen!.id}
            onChange={(levy) =>
              go(
                `/invoice/vaadextra${writeQuery({ ...(houses.length > 1 ? { house: house.id } : {}), levy })}`,
              )
            }
            views={first.data.levies.map((one) => ({ key: one.id, label: one.name }))}
          />
        )}
      </PageHeader>
      {!first.data ? (
        first.error ? (
          <Note tone="late">{failureText(t, first.error)}</Note>
        ) : (
          <Skeleton lines={10} />
        )
      ) : !chosen ? (
        <EmptyState icon={Hammer} title={t('committee.levy.none')}>
          {t('committee.levy.noneText')}
        </EmptyState>
      ) : (
        <div className="vd-stack">
          <Figures label={chosen.name}>
            <Figure
              label={t('committee.levy.sum')}
              amount={chosen.agorot}
              note={t(`committee.rule.${chosen.rule}`)}
            />
            <Figure label={t('committee.levy.paid')} amount={chosen.paidAgorot} />
            <Figure
              label={t('committee.levy.instalments')}
              value={<Num>{`${chosen.instalmentsDue}/${chosen.instalments}`}</Num>}
              note={t('committee.levy.dueNow')}
            />
            <Figure
              label={t('committee.levy.votes')}
              value={<Num>{`${chosen.votesFor}:${chosen.votesAgainst}`}</Num>}
              note={t('committee.levy.onDay', { day: formatDay(chosen.decidedOn) })}
            />
          </Figures>
          {chosen.purpose && <p dir="auto">{chosen.purpose}</p>}
          {data ? <DuesGrid of={data} onPay={change ? setFlat : undefined} /> : <Skeleton lines={8} />}
          <Card title={t('committee.levy.protocol')}>
            <div className="vd-files">
              <FilesPanel entity="committeelevies" id={chosen.id} mayChange={decide} />
            </div>
          </Card>
        </div>
      )}
      {opens && <LevyDialog houseId={house.id} onClose={() => setOpens(false)} />}
      {flat && first.data && <PayDialog of={first.data} flatId={flat} onClose={() => setFlat(undefined)} />}
    </Together>
  )
}
