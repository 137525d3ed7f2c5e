import { Copy, Plus, ShieldCheck, Trash2, UserPlus } from 'lucide-react'
import { useEffect, useState } from 'react'
import {
  call,
  CallFailure,
  failureText,
  fieldErrors,
  keyOf,
  queryClient,
  useCall,
} from '#kit/web/calls/call.ts'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card, Rows } from '#kit/web/parts/Card.tsx'
import { Dialog, Question } from '#kit/web/parts/Dialog.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { usePlace } from '#kit/web/routes/place.ts'
import { useRows } from '#kit/web/screens/useList.ts'
import { useCan } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { assignSet, changeSet, listSets, makeSet, removeSet, type PermissionSet } from '../endpoints.ts'
import type { StarterName } from '../starters.ts'
import { workers, type Worker } from '../workers.ts'
import { refreshPeople } from './actions.tsx'
import { RightsEditor, draftOf, givenOf, type RightsDraft } from './RightsEditor.tsx'
import { rulesText } from './says.ts'
import './team.css'

const NEW = 'new'

/**
 * Sets of rights: the business's own at the side with the ready-made ones under them, the chosen one with its
 * rules.
 */
export function Screen() {
  const t = useWords()
  const may = useCan()
  const { query, setQuery } = usePlace()
  const { data, error } = useCall(listSets, {})
  const mayChange = may('workers.change')
  const chosen =
    query.set === NEW ? undefined : (data?.rows.find(({ id }) => id === query.set) ?? data?.rows[0])
  const choose = (set: string | undefined) => setQuery({ set })
  if (error && !data)
    return (
      <EmptyState icon={ShieldCheck} title={t('team.failed')}>
        {failureText(t, error)}
      </EmptyState>
    )
  const take = async (starter: StarterName) => {
    try {
      const made = await call(makeSet, { starter })
      await queryClient.invalidateQueries({ queryKey: keyOf(listSets) })
      choose(made.id)
    } catch (e) {
      banner.error(failureText(t, e))
    }
  }
  return (
    <>
      <PageHeader
        title={t('screens.permissions')}
        sub={t('team.sets.sub')}
        actions={
          mayChange && (
            <Button kind="primary" icon={Plus} onPress={() => choose(NEW)}>
              {t('team.actions.newSet')}
            </Button>
          )
        }
      />
      {!data ? (
        <Skeleton lines={8} />
      ) : (
        <div className="tm-split">
          <div className="side">
            <Card title={t('team.sets.title')}>
              {data.rows.length === 0 ? (
                <p className="hint">{t('team.sets.emptyText')}</p>
              ) : (
                <Rows label={t('team.sets.title')}>
                  {data.rows.map((set) => (
                    <button
                      key={set.id}
                      type="button"
                      className="tm-set"
                      aria-current={query.set !== NEW && set.id === chosen?.id}
                      onClick={() => choose(set.id)}
                    >
                      <span className="grow">
                        <span className="t">
                          <bdi>{set.name}</bdi>
                        </span>
                        <span className="s">{`${rulesText(t, set)} · ${t('team.people', { count: set.people })}`}</span>
                      </span>
                    </button>
                  ))}
                </Rows>
              )}
            </Card>
            {mayChange && data.starters.length > 0 && (
              <Card title={t('team.sets.starters')}>
                <Rows label={t('team.sets.starters')}>
                  {data.starters.map(({ name }) => (
                    <div key={name}>
                      <span className="grow">
                        <span className="t">{t(`team.starters.${name}`)}</span>
                        <span className="s">{t(`team.startersText.${name}`)}</span>
                      </span>
                      <Button
                        kind="soft"
                        size="s"
                        label={`${t('team.sets.take')}: ${t(`team.starters.${name}`)}`}
                        icon={Plus}
                        onPress={() => void take(name)}
                      />
                    </div>
                  ))}
                </Rows>
              </Card>
            )}
          </div>
          {query.set === NEW && mayChange ? (
            <Editor key={NEW} set={undefined} mayChange onSaved={choose} />
          ) : chosen ? (
            <Editor key={chosen.id} set={chosen} mayChange={mayChange} onSaved={choose} />
          ) : (
            <EmptyState icon={ShieldCheck} title={t('team.sets.empty')}>
              {t('team.sets.emptyText')}
            </EmptyState>
          )}
        </div>
      )}
    </>
  )
}

const blank: RightsDraft = {
  ...draftOf({
    rules: [],
    docsAllow: [],
    hideTotalPrices: false,
    ownCustomersOnly: false,
    hideNavHeader: false,
  }),
  limited: true,
}
const startOf = (set: PermissionSet | undefined): RightsDraft => (set ? draftOf(rightsOf(set)) : blank)
const rightsOf = ({ rules, docsAllow, hideTotalPrices, ownCustomersOnly, hideNavHeader }: PermissionSet) => ({
  rules,
  docsAllow,
  hideTotalPrices,
  ownCustomersOnly,
  hideNavHeader,
})

function Editor({
  set,
  mayChange,
  onSaved,
}: {
  set: PermissionSet | undefined
  mayChange: boolean
  onSaved: (id: string | undefined) => void
}) {
  const t = useWords()
  const [name, setName] = useState(set?.name ?? '')
  const [draft, setDraft] = useState<RightsDraft>(() => startOf(set))
  const [failure, setFailure] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const [asks, setAsks] = useState<'everything' | 'remove' | 'assign'>()
  const given = givenOf(draft)
  const dirty = name !== (set?.name ?? '') || JSON.stringify(draft) !== JSON.stringify(startOf(set))
  useEffect(() => {
    if (!dirty) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [dirty])
  const { fields, rest } = failure
    ? fieldErrors(t, failure, ['name'])
    : { fields: {} as Record<string, string>, rest: undefined }

  const save = async (everything = false) => {
    setBusy(true)
    setFailure(undefined)
    try {
      const what = { name, ...given, ...(everything ? { everything } : {}) }
      const saved = set ? await call(changeSet, { id: set.id, ...what }) : await call(makeSet, what)
      await refreshPeople()
      setDraft(startOf(saved))
      setName(saved.name)
      banner.success(t('team.done.saved'))
      onSaved(saved.id)
    } catch (e) {
      if (e instanceof CallFailure && e.errors.some(({ code }) => code === 'team.clearPermissions'))
        setAsks('everything')
      else setFailure(e)
    }
    setBusy(false)
  }
  const copy = async () => {
    try {
      const made = await call(makeSet, {
        name: t('team.sets.copyOf', { name: set!.name })
          .replace(/[\u2066-\u2069]/g, '')
          .slice(0, 60),
        ...rightsOf(set!),
        ...(set!.rules.length === 0 ? { everything: true } : {}),
      })
      await queryClient.invalidateQueries({ queryKey: keyOf(listSets) })
      onSaved(made.id)
    } catch (e) {
      banner.error(failureText(t, e))
    }
  }
  return (
    <div className="tm-form">
      {rest && <Note tone="late">{rest}</Note>}
      <Card>
        <div className="tm-stack">
          <TextField
            label={t('team.sets.name')}
            value={name}
            onChange={setName}
            max={60}
            disabled={!mayChange}
            autoFocus={!set}
            {...(fields.name ? { error: fields.name } : {})}
          />
          {set && mayChange && (
            <div className="tm-quick" style={{ marginBlockEnd: 0 }}>
              <Button icon={UserPlus} onPress={() => setAsks('assign')}>
                {t('team.actions.assign')}
              </Button>
              <Button kind="quiet" icon={Copy} onPress={() => void copy()}>
                {t('team.actions.copy')}
              </Button>
              <Button
                kind="quiet"
                icon={Trash2}
                onPress={() => setAsks('remove')}
                {...(set.people ? { blocked: t('errors.team.setInUse', { count: set.people }) } : {})}
              >
                {t('team.actions.removeSet')}
              </Button>
            </div>
          )}
        </div>
      </Card>
      <RightsEditor value={draft} onChange={setDraft} locked={!mayChange} />
      {mayChange && (dirty || !set) && (
        <div className="tm-save">
          <Button
            kind="primary"
            busy={busy}
            onPress={() => void save()}
            {...(!given
              ? { blocked: t('team.rights.needOne') }
              : !name.trim()
                ? { blocked: t('errors.fields.need') }
                : {})}
          >
            {t('team.actions.save')}
          </Button>
          <Button
            kind="quiet"
            onPress={() => {
              if (!set) return onSaved(undefined)
              setName(set.name)
              setDraft(startOf(set))
            }}
          >
            {t('team.actions.undo')}
          </Button>
        </div>
      )}
      <Question
        isOpen={asks === 'everything'}
        danger
        onClose={() => setAsks(undefined)}
        title={t('team.ask.everything')}
        verb={t('team.ask.everythingDo')}
        onConfirm={() => save(true)}
      >
        {t('errors.team.clearPermissions')}
      </Question>
      {set && (
        <Question
          isOpen={asks === 'remove'}
          danger
          onClose={() => setAsks(undefined)}
          title={t('team.ask.removeSet', { name: set.name })}
          verb={t('team.actions.removeSet')}
          onConfirm={async () => {
            try {
              await call(removeSet, { id: set.id })
              await refreshPeople()
              banner.success(t('team.done.setRemoved'))
              onSaved(undefined)
            } catch (e) {
              banner.error(failureText(t, e))
            }
          }}
        >
          {t('team.ask.removeSetText')}
        </Question>
      )}
      {set && asks === 'assign' && <Assign set={set} onClose={() => setAsks(undefined)} />}
    </div>
  )
}

/** Who gets the set: everybody but owners and oneself, those who have it ticked already. */
function Assign({ set, onClose }: { set: PermissionSet; onClose: () => void }) {
  const t = useWords()
  const list = useRows(workers as never, {}, 200)
  const people = (list.rows as unknown as Worker[]).filter(
    ({ typeId, ruleId }) => typeId === 9 && ruleId !== set.number,
  )
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [busy, setBusy] = useState(false)
  const [asks, setAsks] = useState(false)
  const assign = async (everything = false) => {
    setBusy(true)
    try {
      await call(assignSet, { id: set.id, workers: [...chosen], ...(everything ? { everything } : {}) })
      await refreshPeople()
      banner.success(t('team.done.saved'))
      onClose()
    } catch (e) {
      if (e instanceof CallFailure && e.errors.some(({ code }) => code === 'team.clearPermissions'))
        setAsks(true)
      else banner.error(failureText(t, e))
    }
    setBusy(false)
  }
  return (
    <Dialog
      isOpen
      form
      onClose={onClose}
      title={t('team.sets.assignTitle', { name: set.name })}
      actions={
        <>
          <Button kind="quiet" onPress={onClose}>
            {t('kit.actions.back')}
          </Button>
          <Button
            kind="primary"
            busy={busy}
            onPress={() => void assign()}
            {...(chosen.size ? {} : { blocked: t('team.sets.nobody') })}
          >
            {t('team.actions.assign')}
          </Button>
        </>
      }
    >
      {list.loading ? (
        <Skeleton lines={4} />
      ) : people.length === 0 && !list.hasMore ? (
        <p>{t('team.sets.nobody')}</p>
      ) : (
        people.map((one) => (
          <FlagField
            key={one.id}
            label={<bdi>{one.name}</bdi>}
            hint={one.setName ?? rulesText(t, one)}
            value={chosen.has(one.id)}
            onChange={(on) =>
              setChosen(
                (before) => new Set(on ? [...before, one.id] : [...before].filter((id) => id !== one.id)),
              )
            }
          />
        ))
      )}
      {list.hasMore && (
        <Button kind="quiet" busy={list.loadingMore} onPress={list.more}>
          {t('team.morePeople')}
        </Button>
      )}
      <Question
        isOpen={asks}
        danger
        onClose={() => setAsks(false)}
        title={t('team.ask.everything')}
        verb={t('team.ask.everythingDo')}
        onConfirm={() => assign(true)}
      >
        {t('errors.team.clearPermissions')}
      </Question>
    </Dialog>
  )
}
