import { useInfiniteQuery } from '@tanstack/react-query'
import { ArrowLeftRight, Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { formatDay, formatMoment } from '#domain/format.ts'
import { call, failureText, keyOf, queryClient, useCall } from '#kit/web/calls/call.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { DayField } from '#kit/web/fields/DayField.tsx'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { WholeField } from '#kit/web/fields/NumberFields.tsx'
import { TagsField } from '#kit/web/fields/TagsField.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card, Rows } from '#kit/web/parts/Card.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { MoreRows } from '#kit/web/parts/MoreRows.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { show } from '#kit/web/parts/shown.ts'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { useAction } from '#kit/web/parts/useAction.ts'
import { Views } from '#kit/web/parts/Views.tsx'
import { callsOf } from '#kit/web/screens/resources.ts'
import { useCan } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { dropTeam, listTeams, saveTeam, type WorkTeam } from '#features/people/tasks/endpoints.ts'
import {
  dropRule,
  listHandovers,
  listKinds,
  listRules,
  listStages,
  previewTransfer,
  saveRule,
  setAbsence,
  transferLeads,
  type LeadRule,
} from '../endpoints.ts'
import { leads, leadSources } from '../leads.ts'
import { refreshLeads } from './shared.ts'
import './leads.css'

type Person = { userId: string; name: string; open: number }
const tabs = ['move', 'rules', 'people', 'trace'] as const

/**
 * Leads go from hand to hand: now, with a preview; by rules, as they come in; and who had which, for ever.
 */
export function Screen() {
  const t = useWords()
  const [tab, setTab] = useState<(typeof tabs)[number]>('move')
  const { data, error } = useCall(listRules, {})
  return (
    <>
      <PageHeader
        title={t('screens.leadTransfer')}
        crumbs={[{ label: t('screens.leads'), href: leads.screens.list }]}
      >
        <Views
          label={t('screens.leadTransfer')}
          value={tab}
          onChange={setTab}
          views={tabs.map((key) => ({ key, label: t(`leads.transfer.tabs.${key}`) }))}
        />
      </PageHeader>
      {error && !data && <Note tone="late">{failureText(t, error)}</Note>}
      {!data && !error && <Skeleton lines={6} />}
      {data && tab === 'move' && <Move people={data.loads} />}
      {data && tab === 'rules' && <Rules rules={data.rows} people={data.loads} />}
      {data && tab === 'people' && <People people={data.loads} absences={data.absences} />}
      {tab === 'trace' && <Trace />}
    </>
  )
}

const refresh = () =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: keyOf(listRules) }),
    queryClient.invalidateQueries({ queryKey: [listHandovers.name] }),
    refreshLeads(),
  ])

/** Checkboxes for the people of the business, each with their number of open leads. */
function Choose({
  people,
  value,
  onChange,
  label,
  error,
}: {
  people: readonly Person[]
  value: readonly string[]
  onChange: (ids: string[]) => void
  label: string
  error?: string | undefined
}) {
  return (
    <fieldset className="ld-people" aria-invalid={error ? true : undefined}>
      <legend>{label}</legend>
      {people.map(({ userId, name, open }) => (
        <FlagField
          key={userId}
          label={
            <>
              <bdi>{name}</bdi> <span className="hint num">{open}</span>
            </>
          }
          value={value.includes(userId)}
          onChange={(is) => onChange(is ? [...value, userId] : value.filter((one) => one !== userId))}
        />
      ))}
      {error && <Note tone="late">{error}</Note>}
    </fieldset>
  )
}

function Move({ people }: { people: readonly Person[] }) {
  const t = useWords()
  const stages = useCall(listStages, {}).data?.rows ?? []
  const sources = useCall(callsOf(leadSources).list, { size: 200 }).data?.rows ?? []
  const [from, setFrom] = useState<string>('nobody')
  const [stageId, setStage] = useState<string | null>(null)
  const [sourceId, setSource] = useState<string | null>(null)
  const [most, setMost] = useState<number | null>(null)
  const [how, setHow] = useState<'rules' | 'turn' | 'load'>('turn')
  const [chosen, setChosen] = useState<string[]>([])
  const [seen, setSeen] = useState<{
    asked: string
    rows: { leadId: string; name: string; from: string | null; to: string }[]
    left: number
  }>()
  const asked = { from, stageId, sourceId, most, how, people: how === 'rules' ? [] : chosen }
  const isSeen = seen?.asked === JSON.stringify(asked)
  const { busy, rest, error, run, place } = useAction(
    ['people', 'most', 'from'],
    async () => {
      if (!isSeen) return setSeen({ asked: JSON.stringify(asked), ...(await call(previewTransfer, asked)) })
      const { rows } = await call(transferLeads, asked)
      await refresh()
      setSeen(undefined)
      banner.success(t('leads.transfer.done', { count: rows.length }))
    },
    { stays: true },
  )
  return (
    <Card>
      <form ref={place} onSubmit={run} noValidate className="ld-move">
        {rest && <Note tone="late">{rest}</Note>}
        <ChoiceField
          label={t('leads.transfer.from')}
          as="list"
          value={from}
          onChange={(next) => next && setFrom(next)}
          choices={[
            { value: 'nobody', label: t('leads.transfer.nobodys') },
            { value: 'anybody', label: t('leads.transfer.all') },
            ...people.map(({ userId, name }) => ({ value: userId, label: name })),
          ]}
          {...error('from', from)}
        />
        <div className="ld-filter">
          <ChoiceField
            label={t('leads.fields.sourceId')}
            as="list"
            clearable
            optional
            value={sourceId}
            onChange={setSource}
            choices={sources.map((row) => ({ value: row.id, label: String(row.name) }))}
          />
          <ChoiceField
            label={t('leads.fields.stageId')}
            as="list"
            clearable
            optional
            value={stageId}
            onChange={setStage}
            choices={stages
              .filter(({ outcome }) => outcome === 'open')
              .map(({ id, name }) => ({ value: id, label: name }))}
          />
          <WholeField
            label={t('leads.transfer.most')}
            optional
            value={most}
            onChange={setMost}
            {...error('most', most)}
          />
        </div>
        <ChoiceField
          label={t('leads.transfer.how')}
          value={how}
          onChange={(next) => next && setHow(next)}
          choices={(['turn', 'load', 'rules'] as const).map((value) => ({
            value,
            label: t(`leads.transfer.by.${value}`),
          }))}
        />
        {how !== 'rules' && (
          <Choose
            people={people}
            value={chosen}
            onChange={setChosen}
            label={t('leads.transfer.to')}
            error={error('people', chosen).error}
          />
        )}
        {isSeen && seen && (
          <div role="status">
            <p>{t('leads.transfer.preview', { count: seen.rows.length })}</p>
            {seen.left > 0 && <p className="hint">{t('leads.transfer.left', { count: seen.left })}</p>}
            <ol className="ld-preview">
              {seen.rows.slice(0, 100).map((one) => (
                <li key={one.leadId}>
                  <bdi>{one.name}</bdi>: <bdi>{one.from ?? t('leads.nobody')}</bdi> ←{' '}
                  <b>
                    <bdi>{one.to}</bdi>
                  </b>
                </li>
              ))}
            </ol>
          </div>
        )}
        <div>
          <Button
            kind="primary"
            type="submit"
            icon={ArrowLeftRight}
            busy={busy}
            isDisabled={isSeen && seen?.rows.length === 0}
          >
            {t(isSeen ? 'leads.transfer.verb' : 'leads.transfer.look')}
          </Button>
        </div>
      </form>
    </Card>
  )
}

function Rules({ rules, people }: { rules: readonly LeadRule[]; people: readonly Person[] }) {
  const t = useWords()
  const nameOf = (id: string) => people.find(({ userId }) => userId === id)?.name ?? '…'
  const edit = (rule?: LeadRule) =>
    show((close) => <RuleDialog {...(rule ? { rule } : {})} people={people} onClose={close} />)
  return (
    <Card
      flush
      title={t('leads.transfer.tabs.rules')}
      hint={t('leads.transfer.rulesText')}
      end={
        <Button size="s" icon={Plus} onPress={() => edit()}>
          {t('leads.transfer.newRule')}
        </Button>
      }
    >
      <Rows label={t('leads.transfer.tabs.rules')}>
        {rules.map((rule) => (
          <div key={rule.id} className="ld-rule">
            <span className="grow">
              <span className="t">
                <bdi>{rule.name}</bdi>{' '}
                {!rule.isOn && <span className="hint">({t('leads.transfer.off')})</span>}
              </span>
              <span className="s">
                {t(`leads.transfer.by.${rule.how}`)} · <bdi>{rule.people.map(nameOf).join(', ')}</bdi>
                {rule.cities.length > 0 && (
                  <>
                    {' · '}
                    <bdi>{rule.cities.join(', ')}</bdi>
                  </>
                )}
              </span>
            </span>
            <Button
              kind="quiet"
              size="s"
              icon={Pencil}
              label={`${t('kit.lists.edit')}: ${rule.name}`}
              onPress={() => edit(rule)}
            />
            <Button
              kind="quiet"
              size="s"
              icon={Trash2}
              label={`${t('leads.transfer.dropRule')}: ${rule.name}`}
              onPress={() =>
                void call(dropRule, { id: rule.id })
                  .then(refresh)
                  .catch((e: unknown) => banner.error(failureText(t, e)))
              }
            />
          </div>
        ))}
        {rules.length === 0 && <p className="hint p-4">{t('leads.transfer.noRules')}</p>}
      </Rows>
    </Card>
  )
}

function RuleDialog({
  rule,
  people,
  onClose,
}: {
  rule?: LeadRule
  people: readonly Person[]
  onClose: () => void
}) {
  const t = useWords()
  const kinds = useCall(listKinds, {}).data?.rows ?? []
  const sources = useCall(callsOf(leadSources).list, { size: 200 }).data?.rows ?? []
  const [value, setValue] = useState<Omit<LeadRule, 'id'>>(
    rule ?? { name: '', isOn: true, sourceId: null, kindId: null, cities: [], how: 'turn', people: [] },
  )
  const put = (change: Partial<LeadRule>) => setValue((old) => ({ ...old, ...change }))
  return (
    <FormDialog
      title={t(rule ? 'leads.transfer.changeRule' : 'leads.transfer.newRule')}
      verb={t('kit.forms.save')}
      names={['name', 'people', 'cities']}
      onClose={onClose}
      onSubmit={async () => {
        const { name, isOn, sourceId, kindId, cities, how, people: who } = value
        await call(saveRule, {
          ...(rule ? { id: rule.id } : {}),
          name: name.trim(),
          isOn,
          sourceId,
          kindId,
          cities,
          how,
          people: who,
        })
        await refresh()
        onClose()
      }}
    >
      {(error) => (
        <>
          <TextField
            label={t('leads.transfer.ruleName')}
            value={value.name}
            onChange={(name) => put({ name })}
            max={60}
            {...error('name', value.name)}
          />
          <ChoiceField
            label={t('leads.transfer.how')}
            value={value.how}
            onChange={(how) => how && put({ how })}
            choices={(['turn', 'load'] as const).map((one) => ({
              value: one,
              label: t(`leads.transfer.by.${one}`),
            }))}
          />
          <TagsField
            label={t('leads.transfer.cities')}
            hint={t('leads.transfer.citiesHint')}
            optional
            value={value.cities}
            onChange={(cities) => put({ cities: [...cities] })}
            {...error('cities', value.cities)}
          />
          <ChoiceField
            label={t('leads.fields.sourceId')}
            as="list"
            clearable
            optional
            value={value.sourceId}
            onChange={(sourceId) => put({ sourceId })}
            choices={sources.map((row) => ({ value: row.id, label: String(row.name) }))}
          />
          {kinds.length > 0 && (
            <ChoiceField
              label={t('leads.fields.kindId')}
              as="list"
              clearable
              optional
              value={value.kindId}
              onChange={(kindId) => put({ kindId })}
              choices={kinds.map(({ id, name }) => ({ value: id, label: name }))}
            />
          )}
          <Choose
            people={people}
            value={value.people}
            onChange={(who) => put({ people: who })}
            label={t('leads.transfer.to')}
            error={error('people', value.people).error}
          />
          <FlagField label={t('leads.transfer.on')} value={value.isOn} onChange={(isOn) => put({ isOn })} />
        </>
      )}
    </FormDialog>
  )
}

/** Who is away, and who works together. */
function People({
  people,
  absences,
}: {
  people: readonly Person[]
  absences: readonly { userId: string; until: string }[]
}) {
  const t = useWords()
  const may = useCan()
  const { data } = useCall(listTeams, {}, { enabled: may('tasks.see') })
  const failed = (e: unknown) => void banner.error(failureText(t, e))
  const teamsAnew = () => queryClient.invalidateQueries({ queryKey: keyOf(listTeams) })
  const edit = (team?: WorkTeam) =>
    show((close) => <TeamDialog {...(team ? { team } : {})} people={people} onClose={close} />)
  return (
    <div className="grid gap-4">
      <Card flush title={t('leads.transfer.absences')} hint={t('leads.transfer.absencesText')}>
        <Rows label={t('leads.transfer.absences')}>
          {people.map(({ userId, name, open }) => {
            const until = absences.find((one) => one.userId === userId)?.until ?? null
            return (
              <div key={userId} className="ld-rule">
                <span className="grow">
                  <span className="t">
                    <bdi>{name}</bdi>
                  </span>
                  <span className="s">
                    {t('leads.count', { count: open })}
                    {until && ` · ${t('leads.transfer.awayUntil', { day: formatDay(until) })}`}
                  </span>
                </span>
                <span className="ld-until">
                  <DayField
                    label={t('leads.transfer.until', { name })}
                    hideLabel
                    value={until}
                    onChange={(day) =>
                      day !== until &&
                      void call(setAbsence, { userId, until: day }).then(refresh).catch(failed)
                    }
                  />
                </span>
              </div>
            )
          })}
        </Rows>
      </Card>
      {data && may('workers.change') && (
        <Card
          flush
          title={t('leads.transfer.teams')}
          hint={t('leads.transfer.teamsText')}
          end={
            <Button size="s" icon={Plus} onPress={() => edit()}>
              {t('leads.transfer.newTeam')}
            </Button>
          }
        >
          <Rows label={t('leads.transfer.teams')}>
            {data.rows.map((team) => (
              <div key={team.id} className="ld-rule">
                <span className="grow">
                  <span className="t">
                    <bdi>{team.name}</bdi>
                  </span>
                  <span className="s">
                    <bdi>
                      {team.members
                        .map((id) => people.find(({ userId }) => userId === id)?.name ?? '…')
                        .join(', ')}
                    </bdi>
                  </span>
                </span>
                <Button
                  kind="quiet"
                  size="s"
                  icon={Pencil}
                  label={`${t('kit.lists.edit')}: ${team.name}`}
                  onPress={() => edit(team)}
                />
                <Button
                  kind="quiet"
                  size="s"
                  icon={Trash2}
                  label={`${t('leads.transfer.dropTeam')}: ${team.name}`}
                  onPress={() => void call(dropTeam, { id: team.id }).then(teamsAnew).catch(failed)}
                />
              </div>
            ))}
            {data.rows.length === 0 && <p className="hint p-4">{t('leads.transfer.noTeams')}</p>}
          </Rows>
        </Card>
      )}
    </div>
  )
}

function TeamDialog({
  team,
  people,
  onClose,
}: {
  team?: WorkTeam
  people: readonly Person[]
  onClose: () => void
}) {
  const t = useWords()
  const [name, setName] = useState(team?.name ?? '')
  const [members, setMembers] = useState<string[]>(team?.members ?? [])
  return (
    <FormDialog
      title={t(team ? 'leads.transfer.changeTeam' : 'leads.transfer.newTeam')}
      verb={t('kit.forms.save')}
      names={['name', 'members']}
      onClose={onClose}
      onSubmit={async () => {
        await call(saveTeam, { ...(team ? { id: team.id } : {}), name: name.trim(), members })
        await queryClient.invalidateQueries({ queryKey: keyOf(listTeams) })
        onClose()
      }}
    >
      {(error) => (
        <>
          <TextField
            label={t('leads.transfer.teamName')}
            value={name}
            onChange={setName}
            max={60}
            {...error('name', name)}
          />
          <Choose
            people={people}
            value={members}
            onChange={setMembers}
            label={t('leads.transfer.members')}
            error={error('members', members).error}
          />
        </>
      )}
    </FormDialog>
  )
}

function Trace() {
  const t = useWords()
  const query = useInfiniteQuery({
    queryKey: [listHandovers.name],
    queryFn: ({ pageParam, signal }) =>
      call(listHandovers, pageParam ? { cursor: pageParam } : {}, { signal }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })
  const rows = query.data?.pages.flatMap((page) => page.rows) ?? []
  if (query.error && !query.data) return <Note tone="late">{failureText(t, query.error)}</Note>
  return (
    <>
      <Card flush label={t('leads.transfer.tabs.trace')}>
        <Rows label={t('leads.transfer.tabs.trace')}>
          {rows.map((one) => (
            <div key={one.id} className="ld-rule">
              <span className="grow">
                <span className="t">
                  <bdi>{one.name}</bdi>:{' '}
                  {t('leads.handed', {
                    from: one.from ?? t('leads.nobody'),
                    to: one.to ?? t('leads.nobody'),
                  })}
                </span>
                <span className="s">
                  <Num>{formatMoment(new Date(one.at))}</Num> ·{' '}
                  <bdi>{one.rule ?? one.by ?? t('companies.log.system')}</bdi>
                </span>
              </span>
            </div>
          ))}
          {query.data && rows.length === 0 && <p className="hint p-4">{t('leads.transfer.noTrace')}</p>}
        </Rows>
      </Card>
      <MoreRows of={query} />
    </>
  )
}
