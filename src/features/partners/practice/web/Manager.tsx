import { FilePlus2, ListChecks, Mail, Pause, Play, Trash2, UserPlus, Users } from 'lucide-react'
import { useState } from 'react'
import { formatMoment } from '#domain/format.ts'
import { bookLines } from '#domain/closing/closing.ts'
import type { OutputOf } from '#kit/describe/endpoint.ts'
import { call, failureText, keyOf, queryClient, useCall } from '#kit/web/calls/call.ts'
import { MoneyCell } from '#kit/web/fields/cells.tsx'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { EmailField } from '#kit/web/fields/ContactFields.tsx'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { MoneyField } from '#kit/web/fields/NumberFields.tsx'
import { LongText, TextField } from '#kit/web/fields/TextField.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { DataTable, type Column } from '#kit/web/parts/DataTable.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { monthWords } from '#kit/web/parts/MonthSteps.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { SelectionBar } from '#kit/web/parts/SelectionBar.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { Views } from '#kit/web/parts/Views.tsx'
import { usePlace } from '#kit/web/routes/place.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useCopy } from '#kit/web/hooks/useCopy.ts'
import { useLanguage, useWords, wordIfAny } from '#kit/web/words/words.tsx'
import {
  assignClients,
  chargeFees,
  cockpit,
  dropInvite,
  dropTemplate,
  engagementRights,
  inviteClient,
  inviteColleague,
  keepTemplate,
  listInvites,
  myOffice,
  officeLoad,
  pauseClient,
  seeAllClients,
  type EngagementRight,
} from '../endpoints.ts'
import './practice.css'

type Load = OutputOf<typeof officeLoad>
type Client = Load['clients'][number]
type Person = Load['people'][number]
type Template = NonNullable<OutputOf<typeof myOffice>['office']>['templates'][number]
const views = ['people', 'clients', 'lists', 'deeds'] as const
const refresh = () =>
  Promise.all(
    [officeLoad, myOffice, listInvites, cockpit].map((one) =>
      queryClient.invalidateQueries({ queryKey: keyOf(one) }),
    ),
  )

/** The office in the hands of its manager. Brings the words of: audit */
export function Screen() {
  const t = useWords()
  const { lang } = useLanguage()
  const { query, setQuery } = usePlace()
  const view = views.find((one) => one === query.view) ?? 'people'
  const { data, error, refetch } = useCall(officeLoad, {})
  const office = useCall(myOffice, {}).data?.office
  const [dialog, setDialog] = useState<'client' | 'colleague' | 'list' | Template>()
  if (error && !data) return <Failed error={error} onRetry={refetch} />
  return (
    <>
      <PageHeader
        title={office?.name ?? t('screens.mainCpam')}
        sub={data && t('practice.managerSub', { month: monthWords(data.month, lang) })}
        actions={
          <>
            <Button icon={UserPlus} onPress={() => setDialog('colleague')}>
              {t('practice.addColleague')}
            </Button>
            <Button kind="primary" icon={Mail} onPress={() => setDialog('client')}>
              {t('practice.addClient')}
            </Button>
          </>
        }
      >
        <Views
          label={t('practice.views')}
          value={view}
          onChange={(next) => setQuery({ view: next === 'people' ? undefined : next })}
          views={views.map((key) => ({
            key,
            label: t(`practice.managerView.${key}`),
            ...(data && key === 'people'
              ? { count: data.people.length }
              : data && key === 'clients'
                ? { count: data.clients.length }
                : {}),
          }))}
        />
      </PageHeader>
      {!data || !office ? (
        <Skeleton lines={8} />
      ) : view === 'people' ? (
        <People rows={data.people} />
      ) : view === 'clients' ? (
        <Clients data={data} templates={office.templates} joinUrl={office.joinUrl} />
      ) : view === 'lists' ? (
        <Lists rows={office.templates} onOpen={setDialog} />
      ) : (
        <Deeds rows={data.deeds} />
      )}
      {dialog === 'client' && <InviteClient onClose={() => setDialog(undefined)} />}
      {dialog === 'colleague' && <InviteColleague onClose={() => setDialog(undefined)} />}
      {dialog !== undefined && dialog !== 'client' && dialog !== 'colleague' && (
        <ListDialog of={dialog === 'list' ? undefined : dialog} onClose={() => setDialog(undefined)} />
      )}
    </>
  )
}

function People({ rows }: { rows: Person[] }) {
  const t = useWords()
  const all = (person: Person) =>
    void call(seeAllClients, { id: person.id, all: !person.allClients }).then(refresh, (e: unknown) =>
      banner.error(failureText(t, e)),
    )
  const number = (key: 'responsible' | 'clients' | 'waiting' | 'late' | 'done'): Column<Person> => ({
    key,
    title: t(`practice.load.${key}`),
    align: 'amount',
    width: 'fit',
    ...(key === 'responsible' ? { phone: 'amount' as const } : {}),
    cell: (row) => <Num className={key === 'late' && row.late > 0 ? 'of-late' : undefined}>{row[key]}</Num>,
  })
  const columns: Column<Person>[] = [
    {
      key: 'name',
      title: t('practice.person'),
      strong: true,
      width: 'trim',
      phone: 'title',
      cell: (row) => (
        <span className="of-name">
          <bdi>{row.name}</bdi>
          <bdi className="hint text-12">{row.email}</bdi>
        </span>
      ),
    },
    {
      key: 'role',
      title: t('practice.role'),
      width: 'fit',
      phone: 'state',
      cell: (row) => (
        <StatusPill tone={row.isInvited ? 'wait' : 'plain'}>
          {t(row.isInvited ? 'practice.invited' : row.isManager ? 'practice.manager' : 'practice.worker')}
        </StatusPill>
      ),
    },
    number('responsible'),
    number('clients'),
    number('waiting'),
    number('late'),
    number('done'),
    {
      key: 'seen',
      title: t('practice.seenAt'),
      width: 'fit',
      phone: 'line',
      cell: (row) => (row.seenAt ? <Num>{formatMoment(new Date(row.seenAt))}</Num> : '–'),
    },
  ]
  return (
    <DataTable
      main
      label={t('practice.managerView.people')}
      columns={columns}
      rows={rows}
      rowKey={({ id }) => id}
      rowName={({ name }) => name}
      density="comfortable"
      menu={(row) =>
        row.isManager || row.isInvited
          ? []
          : [
              {
                key: 'all',
                label: t(row.allClients ? 'practice.onlyGiven' : 'practice.allClients'),
                icon: Users,
                onPress: () => all(row),
              },
            ]
      }
    />
  )
}

function Clients({ data, templates, joinUrl }: { data: Load; templates: Template[]; joinUrl: string }) {
  const t = useWords()
  const copy = useCopy()
  const { lang } = useLanguage()
  const [busy, setBusy] = useState(false)
  const charge = async () => {
    setBusy(true)
    try {
      const { count } = await call(chargeFees, { month: data.month })
      banner.success(t('practice.feesCharged', { count }))
    } catch (e) {
      banner.error(failureText(t, e))
    }
    setBusy(false)
  }
  const invites = useCall(listInvites, {})
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [asks, setAsks] = useState<string[]>()
  const people = new Map(data.people.map(({ id, name }) => [id, name]))
  const to = (row: Client, as: 'active' | 'paused' | 'ended') =>
    void call(pauseClient, { clientId: row.id, as }).then(refresh, (e: unknown) =>
      banner.error(failureText(t, e)),
    )
  const columns: Column<Client>[] = [
    {
      key: 'name',
      title: t('practice.client'),
      strong: true,
      width: 'trim',
      phone: 'title',
      cell: (row) => (
        <span className="of-name">
          <bdi className="cut" title={row.name}>
            {row.name}
          </bdi>
          <Num className="hint text-12">{row.taxId}</Num>
        </span>
      ),
    },
    {
      key: 'who',
      title: t('practice.responsible'),
      width: 'fit',
      phone: 'line',
      cell: (row) => <bdi>{people.get(row.responsibleId ?? '') ?? '–'}</bdi>,
    },
    {
      key: 'also',
      title: t('practice.also'),
      width: 'trim',
      cell: (row) => (
        <span className="cut">
          {row.people
            .map((id) => people.get(id))
            .filter(Boolean)
            .join(', ') || '–'}
        </span>
      ),
    },
    {
      key: 'list',
      title: t('practice.listOf'),
      width: 'fit',
      cell: (row) => (
        <bdi>{templates.find(({ id }) => id === row.templateId)?.name ?? t('practice.usualList')}</bdi>
      ),
    },
    {
      key: 'fee',
      title: t('practice.fee'),
      align: 'amount',
      width: 'fit',
      phone: 'amount',
      cell: (row) => (row.feeAgorot === null ? '–' : <MoneyCell value={row.feeAgorot} />),
    },
    {
      key: 'state',
      title: t('practice.state'),
      width: 'fit',
      phone: 'state',
      cell: (row) => (
        <StatusPill tone={row.state === 'active' ? 'done' : 'wait'}>
          {t(`practice.engagement.${row.state}`)}
        </StatusPill>
      ),
    },
  ]
  return (
    <>
      <DataTable
        main
        label={t('practice.managerView.clients')}
        columns={columns}
        rows={data.clients}
        rowKey={({ id }) => id}
        rowName={({ name }) => name}
        density="comfortable"
        selected={selected}
        onSelect={setSelected}
        onOpen={(row) => setAsks([row.id])}
        menu={(row) => [
          { key: 'assign', label: t('practice.assign'), icon: Users, onPress: () => setAsks([row.id]) },
          ...(row.state === 'active'
            ? [{ key: 'pause', label: t('practice.pause'), icon: Pause, onPress: () => to(row, 'paused') }]
            : []),
          ...(row.state === 'paused'
            ? [{ key: 'resume', label: t('practice.resume'), icon: Play, onPress: () => to(row, 'active') }]
            : []),
          ...(row.state === 'asked'
            ? []
            : [
                {
                  key: 'end',
                  label: t('practice.endWork'),
                  icon: Trash2,
                  tone: 'danger' as const,
                  onPress: () => to(row, 'ended'),
                },
              ]),
        ]}
        empty={
          <EmptyState icon={Users} title={t('practice.noClients')}>
            {t('practice.noClientsText')}
          </EmptyState>
        }
      />
      <SelectionBar count={selected.size} onClear={() => setSelected(new Set())}>
        <Button kind="quiet" size="s" icon={Users} hi onPress={() => setAsks([...selected])}>
          {t('practice.assign')}
        </Button>
      </SelectionBar>
      {data.clients.some(({ feeAgorot }) => feeAgorot) && (
        <p>
          <Button icon={FilePlus2} busy={busy} onPress={() => void charge()}>
            {t('practice.chargeFees', { month: monthWords(data.month, lang) })}
          </Button>
        </p>
      )}
      <Card title={t('practice.waitingInvites')}>
        <p className="hint">{t('practice.joinText')}</p>
        <p>
          <Button size="s" icon={Mail} onPress={() => copy(joinUrl)}>
            {t('practice.copyJoin')}
          </Button>
        </p>
        {invites.data && invites.data.rows.length > 0 && (
          <ul className="of-marks">
            {invites.data.rows.map((one) => (
              <li key={one.id} className="of-row">
                <span className="grow">
                  <bdi>{one.name}</bdi> · <bdi>{one.email}</bdi>
                  {one.isOver && <span className="hint"> · {t('practice.inviteOver')}</span>}
                </span>
                <Button
                  size="s"
                  kind="quiet"
                  icon={Trash2}
                  label={t('practice.dropInvite', { name: one.name })}
                  onPress={() =>
                    void call(dropInvite, { id: one.id }).then(refresh, (e: unknown) =>
                      banner.error(failureText(t, e)),
                    )
                  }
                />
              </li>
            ))}
          </ul>
        )}
      </Card>
      {asks && (
        <Assign
          ids={asks}
          data={data}
          templates={templates}
          onClose={() => {
            setAsks(undefined)
            setSelected(new Set())
          }}
        />
      )}
    </>
  )
}

function Assign({
  ids,
  data,
  templates,
  onClose,
}: {
  ids: string[]
  data: Load
  templates: Template[]
  onClose: () => void
}) {
  const t = useWords()
  const one = ids.length === 1 ? data.clients.find(({ id }) => id === ids[0]) : undefined
  const people = data.people.filter(({ isInvited }) => !isInvited)
  const [who, setWho] = useState<string | null>(one?.responsibleId ?? null)
  const [also, setAlso] = useState<string[]>(one?.people ?? [])
  const [list, setList] = useState<string | null>(one?.templateId ?? null)
  const [fee, setFee] = useState<number | null>(one?.feeAgorot ?? null)
  return (
    <FormDialog
      title={one ? one.name : t('practice.assignMany', { count: ids.length })}
      verb={t('kit.forms.save')}
      names={['responsibleId', 'people', 'templateId', 'feeAgorot']}
      onClose={onClose}
      onSubmit={async () => {
        await call(assignClients, {
          clientIds: ids,
          responsibleId: who,
          people: also,
          templateId: list,
          ...(one || fee !== null ? { feeAgorot: fee } : {}),
        })
        await refresh()
        onClose()
      }}
    >
      {(error) => (
        <>
          <ChoiceField
            label={t('practice.responsible')}
            as="list"
            clearable
            value={who}
            onChange={setWho}
            choices={people.map(({ id, name }) => ({ value: id, label: name }))}
            {...error('responsibleId', who)}
          />
          <fieldset className="of-ticks">
            <legend>{t('practice.also')}</legend>
            {people
              .filter(({ isManager, id }) => !isManager && id !== who)
              .map(({ id, name }) => (
                <FlagField
                  key={id}
                  label={<bdi>{name}</bdi>}
                  value={also.includes(id)}
                  onChange={(on) => setAlso(on ? [...also, id] : also.filter((each) => each !== id))}
                />
              ))}
          </fieldset>
          <ChoiceField
            label={t('practice.listOf')}
            as="list"
            clearable
            optional
            value={list}
            onChange={setList}
            choices={templates.map(({ id, name }) => ({ value: id, label: name }))}
            {...error('templateId', list)}
          />
          <MoneyField
            label={t('practice.fee')}
            optional
            value={fee}
            onChange={setFee}
            {...error('feeAgorot', fee)}
          />
        </>
      )}
    </FormDialog>
  )
}

function Lists({ rows, onOpen }: { rows: Template[]; onOpen: (of: 'list' | Template) => void }) {
  const t = useWords()
  return (
    <Card
      title={t('practice.managerView.lists')}
      end={
        <Button size="s" icon={ListChecks} onPress={() => onOpen('list')}>
          {t('practice.newList')}
        </Button>
      }
    >
      <p className="hint">{t('practice.listsText')}</p>
      <ul className="of-marks">
        {rows.map((row) => (
          <li key={row.id} className="of-row">
            <span className="grow">
              <bdi>{row.name}</bdi>
              <span className="hint text-13">
                {' '}
                · {[...row.kinds.map((kind) => t(`session.kind.${kind}`)), ...row.own].join(' · ')}
              </span>
            </span>
            <Button size="s" kind="quiet" onPress={() => onOpen(row)}>
              {t('practice.edit')}
            </Button>
            <Button
              size="s"
              kind="quiet"
              icon={Trash2}
              label={t('practice.dropList', { name: row.name })}
              onPress={() =>
                void call(dropTemplate, { id: row.id }).then(refresh, (e: unknown) =>
                  banner.error(failureText(t, e)),
                )
              }
            />
          </li>
        ))}
      </ul>
    </Card>
  )
}

const kinds = ['company', 'partnership', 'licensedDealer', 'exemptDealer', 'nonProfit'] as const

function ListDialog({ of, onClose }: { of: Template | undefined; onClose: () => void }) {
  const t = useWords()
  const [name, setName] = useState(of?.name ?? '')
  const [fits, setFits] = useState<string[]>(of?.kinds ?? [])
  const [skips, setSkips] = useState<string[]>(of?.skips ?? [])
  const [own, setOwn] = useState((of?.own ?? []).join('\n'))
  const turn = (list: string[], set: (next: string[]) => void, value: string, on: boolean) =>
    set(on ? [...list, value] : list.filter((one) => one !== value))
  return (
    <FormDialog
      title={t('practice.newList')}
      verb={t('kit.forms.save')}
      names={['name', 'kinds', 'skips', 'own']}
      onClose={onClose}
      onSubmit={async () => {
        const lines = own
          .split('\n')
          .map((line) => line.trim())
          .filter(Boolean)
        await call(keepTemplate, {
          id: of?.id ?? null,
          name,
          kinds: fits as (typeof kinds)[number][],
          skips,
          own: lines,
        })
        await refresh()
        onClose()
      }}
    >
      {(error) => (
        <>
          <TextField
            label={t('practice.listName')}
            value={name}
            onChange={setName}
            max={60}
            {...error('name', name)}
          />
          <fieldset className="of-ticks">
            <legend>{t('practice.listKinds')}</legend>
            {kinds.map((kind) => (
              <FlagField
                key={kind}
                label={t(`session.kind.${kind}`)}
                value={fits.includes(kind)}
                onChange={(on) => turn(fits, setFits, kind, on)}
              />
            ))}
          </fieldset>
          <fieldset className="of-ticks">
            <legend>{t('practice.listAsks')}</legend>
            {bookLines.map((line) => (
              <FlagField
                key={line}
                label={t(`practice.lineName.${line}`)}
                value={!skips.includes(line)}
                onChange={(on) => turn(skips, setSkips, line, !on)}
              />
            ))}
          </fieldset>
          <LongText
            label={t('practice.listOwn')}
            hint={t('practice.listOwnHint')}
            optional
            value={own}
            onChange={setOwn}
            max={2400}
            {...error('own', own)}
          />
        </>
      )}
    </FormDialog>
  )
}

function Deeds({ rows }: { rows: Load['deeds'] }) {
  const t = useWords()
  return (
    <Card title={t('practice.managerView.deeds')}>
      {rows.length === 0 ? (
        <p className="hint">{t('practice.noDeeds')}</p>
      ) : (
        <ul className="of-marks">
          {rows.map((row) => (
            <li key={row.id}>
              <Num>{formatMoment(new Date(row.at))}</Num> · <bdi>{row.by}</bdi> · <bdi>{row.client}</bdi> ·{' '}
              {wordIfAny(t, `companies.audit.${row.action}`) ?? row.action}
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

export function RightTicks({
  value,
  onChange,
}: {
  value: readonly EngagementRight[]
  onChange: (next: EngagementRight[]) => void
}) {
  const t = useWords()
  return (
    <fieldset className="of-ticks">
      <legend>{t('practice.mayDo')}</legend>
      <p className="hint text-13">{t('practice.maySee')}</p>
      {engagementRights.map((right) => (
        <FlagField
          key={right}
          label={t(`practice.right.${right}`)}
          value={value.includes(right)}
          onChange={(on) => onChange(on ? [...value, right] : value.filter((one) => one !== right))}
        />
      ))}
    </fieldset>
  )
}

function InviteClient({ onClose }: { onClose: () => void }) {
  const t = useWords()
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [rights, setRights] = useState<EngagementRight[]>([...engagementRights])
  return (
    <FormDialog
      title={t('practice.addClient')}
      verb={t('practice.sendInvite')}
      icon={Mail}
      names={['name', 'email']}
      onClose={onClose}
      onSubmit={async () => {
        await call(inviteClient, { name, email, rights })
        await refresh()
        banner.success(t('practice.inviteSent', { email }))
        onClose()
      }}
    >
      {(error) => (
        <>
          <p className="hint">{t('practice.addClientText')}</p>
          <TextField
            label={t('practice.field.owner')}
            value={name}
            onChange={setName}
            max={120}
            {...error('name', name)}
          />
          <EmailField
            label={t('session.field.email')}
            value={email}
            onChange={setEmail}
            {...error('email', email)}
          />
          <RightTicks value={rights} onChange={setRights} />
        </>
      )}
    </FormDialog>
  )
}

function InviteColleague({ onClose }: { onClose: () => void }) {
  const t = useWords()
  const [fullName, setFullName] = useState('')
  const [email, setEmail] = useState('')
  const [isManager, setManager] = useState(false)
  return (
    <FormDialog
      title={t('practice.addColleague')}
      verb={t('practice.sendInvite')}
      icon={Mail}
      names={['fullName', 'email']}
      onClose={onClose}
      onSubmit={async () => {
        await call(inviteColleague, { fullName, email, isManager })
        await refresh()
        banner.success(t('practice.inviteSent', { email }))
        onClose()
      }}
    >
      {(error) => (
        <>
          <TextField
            label={t('session.field.fullName')}
            value={fullName}
            onChange={setFullName}
            max={120}
            {...error('fullName', fullName)}
          />
          <EmailField
            label={t('session.field.email')}
            value={email}
            onChange={setEmail}
            {...error('email', email)}
          />
          <FlagField label={t('practice.asManager')} value={isManager} onChange={setManager} />
        </>
      )}
    </FormDialog>
  )
}
