import { CloudUpload, Link2, List, Pencil, Plus, Power, RotateCcw, Trash2 } from 'lucide-react'
import { useId, useState } from 'react'
import { formatMoment, formatNumber } from '#domain/format.ts'
import { call, failureText, useCall } from '#kit/web/calls/call.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { DayField } from '#kit/web/fields/DayField.tsx'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { TextCell } from '#kit/web/fields/cells.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { DataTable } from '#kit/web/parts/DataTable.tsx'
import { Question, SideSheet } from '#kit/web/parts/Dialog.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { KeptPlace } from '#kit/web/parts/KeptPlace.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { StatusPill, type StatusTone } from '#kit/web/parts/Status.tsx'
import { useAction } from '#kit/web/parts/useAction.ts'
import { go, usePlace } from '#kit/web/routes/place.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import {
  addPlace,
  againCopies,
  changeTarget,
  copiedThings,
  driveKinds,
  dropTarget,
  listCopies,
  listTargets,
  type Target,
} from '../endpoints.ts'
import { patternParts } from '../pattern.ts'
import './drive.css'
import { isStopped, refresh, TargetState } from './says.tsx'

type Open = { what: 'edit' | 'copies' | 'again' | 'drop'; of: Target }

/** Places that copies are laid in, and how each is doing. */
export function Screen() {
  const t = useWords()
  const { query, setQuery } = usePlace()
  const [open, setOpen] = useState<Open>()
  const { data, error, isLoading, refetch } = useCall(
    listTargets,
    {},
    { staleTime: 0, refetchInterval: 5000 },
  )
  const rows = data?.rows ?? []
  const mayConnect = data?.mayConnect ?? true
  const close = () => setOpen(undefined)
  const turn = async (of: Target, on: boolean) => {
    try {
      await call(changeTarget, { id: of.id, on })
      await refresh()
    } catch (e) {
      banner.error(failureText(t, e))
    }
  }
  const add = (
    <Button kind="primary" icon={Plus} onPress={() => setQuery({ add: '1' })}>
      {t('drive.add')}
    </Button>
  )
  const bad =
    rows.find((row) => row.state === 'paused') ??
    rows.find((row) => row.state === 'revoked') ??
    rows.find((row) => row.state === 'full')
  return (
    <div className="dr-page">
      <PageHeader
        title={t('screens.drive')}
        sub={t('drive.sub')}
        crumbs={[{ label: t('screens.settings'), href: '/invoice/Settings' }]}
        actions={mayConnect && <KeptPlace shown={rows.length > 0}>{add}</KeptPlace>}
      />
      {bad && (
        <Note tone="wait">
          <bdi>{bad.name}</bdi>:{' '}
          {bad.pausedWhy
            ? t(`drive.paused.${bad.pausedWhy}`, { by: bad.by })
            : t(`drive.${bad.state === 'revoked' ? 'revokedText' : 'fullText'}`)}
        </Note>
      )}
      <DataTable
        label={t('screens.drive')}
        main
        rows={rows}
        rowKey={(row) => row.id}
        rowName={(row) => row.name}
        loading={isLoading}
        isOff={isStopped}
        onOpen={(row) => setOpen({ what: 'copies', of: row })}
        menu={(row) => [
          {
            key: 'copies',
            label: t('drive.show'),
            icon: List,
            onPress: () => setOpen({ what: 'copies', of: row }),
          },
          ...(mayConnect
            ? [
                {
                  key: 'edit',
                  label: t('drive.edit'),
                  icon: Pencil,
                  onPress: () => setOpen({ what: 'edit', of: row }),
                },
                {
                  key: 'again',
                  label: t('drive.again'),
                  icon: RotateCcw,
                  onPress: () => setOpen({ what: 'again', of: row }),
                },
              ]
            : []),
          ...(mayConnect && row.kind === 'google' && row.state === 'revoked'
            ? [
                {
                  key: 'reconnect',
                  label: t('drive.reconnect'),
                  icon: Link2,
                  onPress: () => go('/connectgoogledrive'),
                },
              ]
            : []),
          ...(isStopped(row)
            ? mayConnect
              ? [{ key: 'on', label: t('drive.turnOn'), icon: Power, onPress: () => void turn(row, true) }]
              : []
            : [{ key: 'off', label: t('drive.turnOff'), icon: Power, onPress: () => void turn(row, false) }]),
          {
            key: 'drop',
            label: t('drive.drop'),
            icon: Trash2,
            tone: 'danger',
            onPress: () => setOpen({ what: 'drop', of: row }),
          },
        ]}
        empty={
          error ? (
            <Failed error={error} onRetry={refetch} />
          ) : (
            <EmptyState icon={CloudUpload} title={t('drive.empty.title')} actions={mayConnect && add}>
              {t(mayConnect ? 'drive.empty.text' : 'errors.drive.notWhole')}
            </EmptyState>
          )
        }
        columns={[
          {
            key: 'name',
            title: t('drive.fields.name'),
            strong: true,
            width: '20%',
            cell: (row) => <TextCell value={row.name} />,
            phone: 'title',
          },
          {
            key: 'kind',
            title: t('drive.fields.kind'),
            width: 'fit',
            cell: (row) => t(`drive.kinds.${row.kind}`),
          },
          {
            key: 'place',
            title: t('drive.fields.place'),
            width: 'trim',
            cell: (row) => <bdi dir="ltr">{row.place}</bdi>,
            phone: 'line',
          },
          {
            key: 'done',
            title: t('drive.fields.done'),
            width: 'fit',
            align: 'amount',
            cell: (row) => <Num>{row.done}</Num>,
          },
          {
            key: 'waiting',
            title: t('drive.fields.waiting'),
            width: 'fit',
            align: 'amount',
            cell: (row) => row.waiting > 0 && <Num>{row.waiting}</Num>,
          },
          {
            key: 'lastDoneAt',
            title: t('drive.fields.lastDoneAt'),
            width: 'fit',
            cell: (row) =>
              row.lastDoneAt ? (
                <Num>{formatMoment(new Date(row.lastDoneAt))}</Num>
              ) : (
                <span className="hint">{t('drive.never')}</span>
              ),
          },
          {
            key: 'state',
            title: t('drive.fields.state'),
            width: 'fit',
            cell: (row) => <TargetState of={row} />,
            phone: 'state',
          },
        ]}
      />
      {query.add && data && (
        <AddSheet
          offersGoogle={data.offersGoogle}
          start={driveKinds.find((kind) => kind === query.add)}
          onClose={() => setQuery({ add: undefined })}
        />
      )}
      {open?.what === 'edit' && <EditDialog of={open.of} onClose={close} />}
      {open?.what === 'copies' && <CopiesSheet of={open.of} onClose={close} />}
      {open?.what === 'again' && <AgainDialog of={open.of} onClose={close} />}
      <Question
        isOpen={open?.what === 'drop'}
        onClose={close}
        title={t('drive.dropAsk', { name: open?.of.name ?? '' })}
        verb={t('drive.drop')}
        danger
        onConfirm={async () => {
          try {
            await call(dropTarget, { id: open!.of.id })
            await refresh()
            close()
          } catch (e) {
            banner.error(failureText(t, e))
          }
        }}
      >
        {t('drive.dropText')}
      </Question>
    </div>
  )
}

function AddSheet({
  offersGoogle,
  start,
  onClose,
}: {
  offersGoogle: boolean
  start: Target['kind'] | undefined
  onClose: () => void
}) {
  const t = useWords()
  const form = useId()
  const [kind, setKind] = useState<Target['kind']>(
    start && (offersGoogle || start !== 'google') ? start : offersGoogle ? 'google' : 'webdav',
  )
  const [given, setGiven] = useState({
    name: '',
    address: '',
    user: '',
    password: '',
    region: 'il-central-1',
    bucket: '',
  })
  const set = (part: Partial<typeof given>) => setGiven({ ...given, ...part })
  const { busy, rest, error, run, place } = useAction(
    ['name', 'address', 'user', 'password', 'region', 'bucket'],
    async () => {
      if (kind === 'google') return go('/connectgoogledrive')
      const { region, bucket, ...common } = given
      await call(addPlace, kind === 's3' ? { kind, ...common, region, bucket } : { kind, ...common })
      await refresh()
      onClose()
    },
  )
  return (
    <SideSheet
      isOpen
      onClose={onClose}
      dirty={given.address !== '' || given.password !== ''}
      title={t('drive.add')}
      actions={
        <Button kind="primary" type="submit" form={form} busy={busy}>
          {t(kind === 'google' ? 'drive.goGoogle' : 'drive.add')}
        </Button>
      }
    >
      <form id={form} className="dr-form" noValidate ref={place} onSubmit={run}>
        <ChoiceField<Target['kind']>
          label={t('drive.fields.kind')}
          value={kind}
          onChange={(next) => next && setKind(next)}
          choices={driveKinds
            .filter((one) => one !== 'google' || offersGoogle)
            .map((value) => ({ value, label: t(`drive.kinds.${value}`) }))}
          hint={t(`drive.kindHints.${kind}`)}
        />
        {kind !== 'google' && (
          <>
            <TextField
              label={t('drive.fields.address')}
              hint={t(kind === 's3' ? 'drive.hints.s3Address' : 'drive.hints.webdavAddress')}
              ltr
              type="url"
              value={given.address}
              max={500}
              onChange={(address) => set({ address })}
              {...error('address', given.address)}
            />
            {kind === 's3' && (
              <>
                <TextField
                  label={t('drive.fields.region')}
                  ltr
                  value={given.region}
                  max={40}
                  onChange={(region) => set({ region })}
                  {...error('region', given.region)}
                />
                <TextField
                  label={t('drive.fields.bucket')}
                  ltr
                  value={given.bucket}
                  max={63}
                  onChange={(bucket) => set({ bucket })}
                  {...error('bucket', given.bucket)}
                />
              </>
            )}
            <TextField
              label={t(kind === 's3' ? 'drive.fields.keyId' : 'drive.fields.user')}
              ltr
              value={given.user}
              max={500}
              onChange={(user) => set({ user })}
              {...error('user', given.user)}
            />
            <TextField
              label={t(kind === 's3' ? 'drive.fields.keySecret' : 'drive.fields.password')}
              ltr
              type="password"
              autoComplete="new-password"
              value={given.password}
              max={500}
              onChange={(password) => set({ password })}
              {...error('password', given.password)}
            />
            <TextField
              label={t('drive.fields.name')}
              optional
              value={given.name}
              max={80}
              onChange={(name) => set({ name })}
              {...error('name', given.name)}
            />
          </>
        )}
        {rest && <Note tone="late">{rest}</Note>}
      </form>
    </SideSheet>
  )
}

function EditDialog({ of, onClose }: { of: Target; onClose: () => void }) {
  const t = useWords()
  const [name, setName] = useState(of.name)
  const [pattern, setPattern] = useState(of.pattern)
  const [what, setWhat] = useState(of.what)
  return (
    <FormDialog
      title={of.name}
      verb={t('drive.save')}
      names={['name', 'pattern', 'what']}
      onClose={onClose}
      onSubmit={async () => {
        await call(changeTarget, { id: of.id, name, pattern, what })
        await refresh()
        onClose()
      }}
    >
      {(error) => (
        <>
          <TextField
            label={t('drive.fields.name')}
            value={name}
            max={80}
            onChange={setName}
            {...error('name', name)}
          />
          <TextField
            label={t('drive.fields.pattern')}
            hint={t(
              'drive.hints.pattern',
              Object.fromEntries(patternParts.map((part) => [part, `{${part}}`])),
            )}
            ltr
            value={pattern}
            max={120}
            onChange={setPattern}
            {...error('pattern', pattern)}
          />
          <fieldset className="dr-flags">
            <legend>{t('drive.fields.what')}</legend>
            {copiedThings.map((one) => (
              <FlagField
                key={one}
                label={t(`drive.what.${one}`)}
                value={what.includes(one)}
                onChange={(on) =>
                  setWhat(copiedThings.filter((other) => (other === one ? on : what.includes(other))))
                }
              />
            ))}
            {error('what', what).error && <Note tone="late">{error('what', what).error}</Note>}
          </fieldset>
        </>
      )}
    </FormDialog>
  )
}

function AgainDialog({ of, onClose }: { of: Target; onClose: () => void }) {
  const t = useWords()
  const [sinceDay, setDay] = useState<string | null>(null)
  return (
    <FormDialog
      title={t('drive.again')}
      verb={t('drive.again')}
      icon={RotateCcw}
      names={['sinceDay']}
      onClose={onClose}
      onSubmit={async () => {
        const { count } = await call(againCopies, { id: of.id, ...(sinceDay ? { sinceDay } : {}) })
        await refresh()
        banner.success(t('drive.againDone', { count }))
        onClose()
      }}
    >
      {(error) => (
        <DayField
          label={t('drive.fields.sinceDay')}
          hint={t('drive.hints.sinceDay')}
          optional
          value={sinceDay}
          onChange={setDay}
          {...error('sinceDay', sinceDay)}
        />
      )}
    </FormDialog>
  )
}

const copyTones: Record<'waiting' | 'asked' | 'done' | 'failed' | 'nothing', StatusTone> = {
  waiting: 'info',
  asked: 'info',
  done: 'done',
  failed: 'wait',
  nothing: 'plain',
}

function CopiesSheet({ of, onClose }: { of: Target; onClose: () => void }) {
  const t = useWords()
  const { data, error, isLoading, refetch } = useCall(
    listCopies,
    { id: of.id },
    { staleTime: 0, refetchInterval: 5000 },
  )
  return (
    <SideSheet isOpen size="l" onClose={onClose} title={of.name}>
      <div className="dr-form">
        {of.lastError && <Note tone="wait">{of.lastError}</Note>}
        <DataTable
          label={t('drive.copies')}
          rows={data?.rows ?? []}
          rowKey={(row) => `${row.entity} ${row.entityId}`}
          rowName={(row) => row.path}
          loading={isLoading}
          empty={
            error ? (
              <Failed error={error} onRetry={refetch} />
            ) : (
              <EmptyState icon={CloudUpload} title={t('drive.noCopies.title')}>
                {t('drive.noCopies.text')}
              </EmptyState>
            )
          }
          columns={[
            {
              key: 'path',
              title: t('drive.fields.path'),
              strong: true,
              width: 'trim',
              cell: (row) => <TextCell value={row.path || t(`drive.what.${row.entity}`)} />,
              phone: 'title',
            },
            {
              key: 'size',
              title: t('drive.fields.size'),
              width: 'fit',
              align: 'amount',
              cell: (row) =>
                row.sizeBytes !== null && <Num>{`${formatNumber(row.sizeBytes / 1024)} KB`}</Num>,
            },
            {
              key: 'at',
              title: t('drive.fields.at'),
              width: 'fit',
              cell: (row) => <Num>{formatMoment(new Date(row.doneAt ?? row.at))}</Num>,
              phone: 'line',
            },
            {
              key: 'state',
              title: t('drive.fields.state'),
              width: 'fit',
              cell: (row) => (
                <span title={row.error || undefined}>
                  <StatusPill tone={copyTones[row.state]}>{t(`drive.copy.${row.state}`)}</StatusPill>
                </span>
              ),
              phone: 'state',
            },
          ]}
        />
      </div>
    </SideSheet>
  )
}
