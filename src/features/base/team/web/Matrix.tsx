import { UsersRound } from 'lucide-react'
import { Fragment, useState } from 'react'
import { Link } from 'react-aria-components/Link'
import { isUnlimited } from '#kit/describe/session.ts'
import { call, failureText, useCall } from '#kit/web/calls/call.ts'
import { Button } from '#kit/web/parts/Button.tsx'
import { Question } from '#kit/web/parts/Dialog.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { useScreen } from '#kit/web/routes/screenNow.ts'
import { useRows } from '#kit/web/screens/useList.ts'
import { useCan, useSession } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { mySession } from '#features/base/session/endpoints.ts'
import { changeWorker, listRules } from '../endpoints.ts'
import { workers, type Worker } from '../workers.ts'
import { refreshPeople } from './actions.tsx'
import { areaText, ruleText } from './says.ts'
import './team.css'

/** Workers across, rules down. The trainers’ screen is the same table of people of sub-type 2. */
export function Screen() {
  const t = useWords()
  const may = useCan()
  const session = useSession()
  const trainers = useScreen()?.name === 'permissionTrainers'
  const { data: rules } = useCall(listRules, {}, { staleTime: 600_000 })
  const list = useRows(workers as never, {}, 200)
  const me = useCall(mySession, {}, { staleTime: 600_000 }).data?.email
  /** What was pressed and not saved yet, by person. */
  const [drafts, setDrafts] = useState<Readonly<Record<string, number[]>>>({})
  const [leaving, setLeaving] = useState<{ who: Worker; number: number }>()
  const [busy, setBusy] = useState(false)

  const people = (list.rows as unknown as Worker[]).filter(
    ({ typeId, subTypeId }) => typeId === 9 && (!trainers || subTypeId === 2),
  )
  const title = t(trainers ? 'screens.permissionTrainers' : 'screens.permissionsWorker')
  const head = (
    <PageHeader
      title={title}
      sub={t(trainers ? 'team.matrix.trainersSub' : 'team.matrix.sub')}
      crumbs={[{ label: t('screens.permissions'), href: '/invoice/permissions' }]}
    />
  )
  if (list.failure)
    return (
      <EmptyState icon={UsersRound} title={t('team.failed')}>
        {failureText(t, list.failure)}
      </EmptyState>
    )
  if (!rules || list.loading || !session)
    return (
      <>
        {head}
        <Skeleton lines={10} />
      </>
    )
  if (people.length === 0 && !list.hasMore)
    return (
      <>
        {head}
        <EmptyState
          icon={UsersRound}
          title={t(trainers ? 'team.matrix.emptyTrainers' : 'team.matrix.empty')}
          actions={may('workers.change') && <Button href="/invoice/editworker">{t('workers.new')}</Button>}
        >
          {t(trainers ? 'team.matrix.emptyTrainersText' : 'workers.empty.text')}
        </EmptyState>
      </>
    )
  const rulesNow = (who: Worker) => drafts[who.id] ?? who.rules
  const has = (number: number) => isUnlimited(session.rules) || session.rules.includes(number)
  const mayPress = (who: Worker, number: number) =>
    may('workers.change') && who.email !== me && who.rules.length > 0 && has(number) && who.rules.every(has)
  const put = (who: Worker, number: number) => {
    const before = rulesNow(who)
    const next = before.includes(number)
      ? before.filter((one) => one !== number)
      : [...before, number].toSorted((a, b) => a - b)
    // The last rule stays: an empty list would mean everything.
    if (next.length === 0) return void banner.info(t('team.rights.needOne'))
    setDrafts(({ [who.id]: _, ...others }) =>
      JSON.stringify(next) === JSON.stringify(who.rules) ? others : { ...others, [who.id]: next },
    )
  }
  const press = (who: Worker, number: number) =>
    who.ruleId && !drafts[who.id] ? setLeaving({ who, number }) : put(who, number)
  const changes = Object.entries(drafts).reduce((sum, [id, next]) => {
    const before = people.find((one) => one.id === id)?.rules ?? []
    return (
      sum +
      next.filter((one) => !before.includes(one)).length +
      before.filter((one) => !next.includes(one)).length
    )
  }, 0)
  const save = async () => {
    setBusy(true)
    try {
      for (const [id, next] of Object.entries(drafts))
        await call(changeWorker, { id, ruleId: 0, rules: next })
      setDrafts({})
      banner.success(t('team.done.saved'))
    } catch (e) {
      banner.error(failureText(t, e))
    }
    await refreshPeople()
    setBusy(false)
  }
  return (
    <>
      {head}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a box that scrolls must be reachable */}
      <div className="tm-matrix" role="region" aria-label={title} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('team.matrix.rule')}</th>
              {people.map((who) => (
                <th key={who.id} scope="col">
                  <Link className="link aim n" dir="auto" href={`/invoice/editworker/${who.id}/rights`}>
                    {who.name}
                  </Link>
                  <span className="s">{who.setName ?? t('team.own')}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rules.areas.map((area) => (
              <Fragment key={area.name}>
                <tr data-area="">
                  <th scope="rowgroup">{areaText(t, area.name)}</th>
                  <th colSpan={people.length} aria-hidden />
                </tr>
                {area.rules.map((rule) => (
                  <tr key={rule.number}>
                    <th scope="row">{ruleText(t, rule.name)}</th>
                    {people.map((who) => {
                      const on = who.rules.length === 0 || rulesNow(who).includes(rule.number)
                      return (
                        <td
                          key={who.id}
                          data-changed={
                            drafts[who.id] && on !== who.rules.includes(rule.number) ? '' : undefined
                          }
                        >
                          <label>
                            <input
                              type="checkbox"
                              className="k-box"
                              checked={on}
                              disabled={!mayPress(who, rule.number)}
                              title={who.rules.length === 0 ? t('team.matrix.unlimited') : undefined}
                              aria-label={t('team.matrix.may', {
                                name: who.name,
                                rule: ruleText(t, rule.name),
                              })}
                              onChange={() => press(who, rule.number)}
                            />
                          </label>
                        </td>
                      )
                    })}
                  </tr>
                ))}
              </Fragment>
            ))}
          </tbody>
        </table>
      </div>
      {list.hasMore && (
        <div className="flex justify-center">
          <Button busy={list.loadingMore} onPress={list.more}>
            {t('team.morePeople')}
          </Button>
        </div>
      )}
      {changes > 0 && (
        <div className="tm-save">
          <Button kind="primary" busy={busy} onPress={() => void save()}>
            {t('team.actions.save')}
          </Button>
          <Button kind="quiet" onPress={() => setDrafts({})}>
            {t('team.actions.undo')}
          </Button>
          <span className="hint">{t('team.matrix.changed', { count: changes })}</span>
        </div>
      )}
      {leaving && (
        <Question
          isOpen
          onClose={() => setLeaving(undefined)}
          title={t('team.ask.leaveSet', { name: leaving.who.name })}
          verb={t('team.ask.leaveSetDo')}
          onConfirm={() => put(leaving.who, leaving.number)}
        >
          {t('team.ask.leaveSetText', { set: leaving.who.setName ?? '' })}
        </Question>
      )}
    </>
  )
}
