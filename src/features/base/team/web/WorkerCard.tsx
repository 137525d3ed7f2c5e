import { useEffect, useState } from 'react'
import { Link } from 'react-aria-components/Link'
import { TriangleAlert } from 'lucide-react'
import { formatMoment } from '#domain/format.ts'
import { can, isUnlimited } from '#kit/describe/session.ts'
import { call, CallFailure, failureText, fieldErrors, useCall } from '#kit/web/calls/call.ts'
import { useNow } from '#kit/web/hooks/clock.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { EmailCell, MomentCell, PhoneCell } from '#kit/web/fields/cells.tsx'
import { MoneyField } from '#kit/web/fields/NumberFields.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { Question } from '#kit/web/parts/Dialog.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { Views } from '#kit/web/parts/Views.tsx'
import { go, usePlace } from '#kit/web/routes/place.ts'
import { useTitle } from '#kit/web/routes/router.tsx'
import { useCan } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { mySession } from '#features/base/session/endpoints.ts'
import { changeWorker, listSets } from '../endpoints.ts'
import type { Worker } from '../workers.ts'
import { Activity } from './Activity.tsx'
import { getWorker, refreshPeople, usePersonDeeds } from './actions.tsx'
import { PersonState } from './dress.tsx'
import { RightsEditor, draftOf, givenOf, type RightsDraft } from './RightsEditor.tsx'
import { RoleField, givenRole, type Role } from './RoleField.tsx'
import './team.css'

const tabs = ['details', 'rights', 'activity'] as const
type Tab = (typeof tabs)[number]

/** A worker: identity, rights, actions. The tab is in the address. */
export function Screen() {
  const t = useWords()
  const may = useCan()
  const { params } = usePlace()
  const id = params.userkey ?? ''
  const tab: Tab = (tabs as readonly string[]).includes(params.type ?? '') ? (params.type as Tab) : 'details'
  const { data, error, refetch } = useCall(getWorker, { id })
  const me = useCall(mySession, {}, { staleTime: 600_000 }).data?.email
  const deeds = usePersonDeeds(me, () => go('/invoice/workers'))
  const worker = data as unknown as Worker | undefined
  useTitle(worker?.name)
  if (error && !worker)
    return (
      <EmptyState
        icon={TriangleAlert}
        title={t('team.failed')}
        actions={
          <Button kind="soft" onPress={() => void refetch()}>
            {t('kit.actions.retry')}
          </Button>
        }
      >
        {failureText(t, error)}
      </EmptyState>
    )
  if (!worker) return <Skeleton lines={8} />
  const mayChange = may('workers.change')
  const menu = mayChange ? deeds.entries(worker) : []
  return (
    <>
      <PageHeader
        title={worker.name}
        status={<PersonState state={worker.state} />}
        sub={[t(`team.type.${worker.typeId}`), worker.job].filter(Boolean).join(' · ')}
        crumbs={[{ label: t('screens.workers'), href: '/invoice/workers' }]}
        {...(menu.length ? { more: menu } : {})}
      >
        <Views
          label={t('team.tabs.label')}
          value={tab}
          onChange={(next) => go(`/invoice/editworker/${id}/${next}`, { replace: true })}
          views={tabs.map((key) => ({ key, label: t(`team.tabs.${key}`) }))}
        />
      </PageHeader>
      {tab === 'details' ? (
        <Details key={worker.id} worker={worker} mayChange={mayChange} mine={worker.email === me} />
      ) : tab === 'rights' ? (
        <Rights
          key={`${worker.id}${worker.ruleId}`}
          worker={worker}
          mayChange={mayChange && worker.email !== me}
          mine={worker.email === me}
        />
      ) : (
        <Activity worker={worker} />
      )}
      {deeds.question}
    </>
  )
}

function Details({ worker, mayChange, mine }: { worker: Worker; mayChange: boolean; mine: boolean }) {
  const t = useWords()
  const now = useNow()
  const [job, setJob] = useState(worker.job ?? '')
  const [place, setPlace] = useState(String(worker.subTypeId) as '0' | '1' | '2')
  const [limits, setLimits] = useState<Limits>({
    refundLimitAgorot: worker.refundLimitAgorot,
    chargeLimitAgorot: worker.chargeLimitAgorot,
  })
  const [refused, setRefused] = useState<Partial<Record<LimitName, { value: number | null; why: string }>>>(
    {},
  )
  const [busy, setBusy] = useState(false)
  const bound = limitNames.filter((name) => limits[name] !== worker[name])
  const dirty = job !== (worker.job ?? '') || place !== String(worker.subTypeId) || bound.length > 0
  const save = async () => {
    setBusy(true)
    try {
      await call(changeWorker, {
        id: worker.id,
        job,
        ...(worker.typeId === 9 ? { subTypeId: Number(place) as 0 | 1 | 2 } : {}),
        ...Object.fromEntries(bound.map((name) => [name, limits[name]])),
      })
      await refreshPeople()
      banner.success(t('kit.forms.saved'))
    } catch (e) {
      const { fields, rest } = fieldErrors(t, e, limitNames)
      setRefused(
        Object.fromEntries(
          Object.entries(fields).map(([name, why]) => [name, { value: limits[name as LimitName], why }]),
        ),
      )
      if (rest) banner.error(rest)
    }
    setBusy(false)
  }
  const expired = worker.expiresAt !== null && new Date(worker.expiresAt) < now
  return (
    <div className="tm-form">
      {worker.state === 'invited' && worker.expiresAt && (
        <Note tone={expired ? 'wait' : 'info'}>
          {expired ? t('team.expired') : t('team.expires', { at: formatMoment(new Date(worker.expiresAt)) })}
        </Note>
      )}
      <Card>
        <dl className="tm-facts">
          <div>
            <dt>{t('workers.fields.email')}</dt>
            <dd>
              <EmailCell value={worker.email} />
            </dd>
          </div>
          {worker.phone && (
            <div>
              <dt>{t('workers.fields.phone')}</dt>
              <dd>
                <PhoneCell value={worker.phone} />
              </dd>
            </div>
          )}
          <div>
            <dt>{t('workers.fields.seenAt')}</dt>
            <dd>{worker.seenAt ? <MomentCell value={worker.seenAt} /> : t('team.neverSeen')}</dd>
          </div>
        </dl>
        {worker.state !== 'invited' && <p className="hint mt-3">{t('team.form.ownDetails')}</p>}
      </Card>
      <Card>
        <div className="tm-pair">
          <TextField
            label={t('workers.fields.job')}
            value={job}
            onChange={setJob}
            max={80}
            disabled={!mayChange}
            optional
          />
          {worker.typeId === 9 && (
            <ChoiceField
              label={t('workers.fields.subTypeId')}
              value={place}
              disabled={!mayChange}
              onChange={(next) => setPlace(next ?? '0')}
              choices={(['0', '1', '2'] as const).map((value) => ({
                value,
                label: t(`team.subType.${value}`),
              }))}
            />
          )}
        </div>
      </Card>
      {worker.typeId === 9 && limitNames.some((name) => mayIt(worker, name)) && (
        <Card>
          {limitNames
            .filter((name) => mayIt(worker, name))
            .map((name) => (
              <MoneyField
                key={name}
                label={t(`team.${limitsOf[name].word}`)}
                hint={t(`team.${limitsOf[name].word}Hint`)}
                optional
                value={limits[name]}
                onChange={(value) => setLimits({ ...limits, [name]: value })}
                disabled={!mayChange || mine}
                {...(refused[name] && refused[name].value === limits[name]
                  ? { error: refused[name].why }
                  : {})}
              />
            ))}
        </Card>
      )}
      {dirty && (
        <div className="tm-save">
          <Button kind="primary" busy={busy} onPress={() => void save()}>
            {t('team.actions.save')}
          </Button>
        </div>
      )}
    </div>
  )
}

/** The person who may not give money back is not bound to a sum. */
/** The limits of a person, with the rule each belongs to. */
const limitsOf = {
  refundLimitAgorot: { may: 'charges.refund', word: 'refundLimit' },
  chargeLimitAgorot: { may: 'savedCards.charge', word: 'chargeLimit' },
} as const
type LimitName = keyof typeof limitsOf
type Limits = Record<LimitName, number | null>
const limitNames = Object.keys(limitsOf) as LimitName[]

const mayIt = ({ rules, docsAllow }: Worker, name: LimitName): boolean =>
  can({ rules, docsAllow }, limitsOf[name].may)

const roleOf = (worker: Worker): Role => (worker.ruleId ? `set:${worker.ruleId}` : 'own')

function Rights({ worker, mayChange, mine }: { worker: Worker; mayChange: boolean; mine: boolean }) {
  const t = useWords()
  const sets = useCall(listSets, {}).data
  const [role, setRole] = useState<Role>(roleOf(worker))
  const [draft, setDraft] = useState<RightsDraft>(() => draftOf(worker))
  const [busy, setBusy] = useState(false)
  const [asks, setAsks] = useState(false)
  const shownSet = role.startsWith('set:')
    ? sets?.rows.find(({ number }) => `set:${number}` === role)
    : undefined
  const starter = role.startsWith('starter:')
    ? sets?.starters.find(({ name }) => `starter:${name}` === role)
    : undefined
  const given = givenOf(draft)
  const dirty =
    role !== roleOf(worker) || (role === 'own' && JSON.stringify(draftOf(worker)) !== JSON.stringify(draft))
  useEffect(() => {
    if (!dirty) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [dirty])
  const save = async (everything = false) => {
    setBusy(true)
    try {
      await call(changeWorker, {
        id: worker.id,
        ...(role === 'own' ? { ruleId: 0, ...given } : givenRole(role)),
        ...(everything ? { everything } : {}),
      })
      await refreshPeople()
      banner.success(t('team.done.saved'))
    } catch (e) {
      if (e instanceof CallFailure && e.errors.some(({ code }) => code === 'team.clearPermissions'))
        setAsks(true)
      else banner.error(failureText(t, e))
    }
    setBusy(false)
  }
  const fromSet = shownSet
    ? draftOf({ ...shownSet })
    : starter
      ? draftOf({
          rules: starter.rules,
          docsAllow: [],
          hideTotalPrices: starter.hideTotalPrices,
          ownCustomersOnly: false,
          hideNavHeader: false,
        })
      : undefined
  return (
    <div className="tm-form">
      {mine && <Note>{t(isUnlimited(worker.rules) ? 'team.rights.ownerMine' : 'team.rights.mine')}</Note>}
      <Card>
        <RoleField
          value={role}
          disabled={!mayChange}
          onChange={(next) => {
            // The rights of the set are the starting point of individual ones.
            if (next === 'own' && fromSet) setDraft({ ...fromSet, isActiveButton: worker.isActiveButton })
            setRole(next)
          }}
        />
        {shownSet && (
          <p className="hint mt-3">
            {t('team.rights.bySet', { set: shownSet.name })}{' '}
            <Link className="link" href={`/invoice/permissions?set=${shownSet.id}`}>
              {t('team.rights.openSet')}
            </Link>
          </p>
        )}
      </Card>
      <RightsEditor
        value={fromSet ?? draft}
        onChange={setDraft}
        locked={!mayChange || fromSet !== undefined}
      />
      {dirty && mayChange && (
        <div className="tm-save">
          <Button
            kind="primary"
            busy={busy}
            onPress={() => void save()}
            {...(role === 'own' && !given ? { blocked: t('team.rights.needOne') } : {})}
          >
            {t('team.actions.save')}
          </Button>
          <Button
            kind="quiet"
            onPress={() => {
              setRole(roleOf(worker))
              setDraft(draftOf(worker))
            }}
          >
            {t('team.actions.undo')}
          </Button>
        </div>
      )}
      <Question
        isOpen={asks}
        danger
        onClose={() => setAsks(false)}
        title={t('team.ask.everything')}
        verb={t('team.ask.everythingDo')}
        onConfirm={() => save(true)}
      >
        {t('errors.team.clearPermissions')}
      </Question>
    </div>
  )
}
