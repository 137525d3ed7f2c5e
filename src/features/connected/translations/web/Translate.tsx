import { Download, Languages, Undo2 } from 'lucide-react'
import { useId, useState } from 'react'
import { formatMoment, formatNumber } from '#domain/format.ts'
import { call, callFile, failureText, keyOf, queryClient, useCall } from '#kit/web/calls/call.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { DayField } from '#kit/web/fields/DayField.tsx'
import { LongText, TextField } from '#kit/web/fields/TextField.tsx'
import { TextCell } from '#kit/web/fields/cells.tsx'
import { languageNames } from '#kit/web/words/language.ts'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { DataTable } from '#kit/web/parts/DataTable.tsx'
import { SideSheet } from '#kit/web/parts/Dialog.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { LogInFirst } from '#kit/web/parts/LogInFirst.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { useAction } from '#kit/web/parts/useAction.ts'
import { usePhone } from '#kit/web/parts/useMedia.ts'
import { usePlace } from '#kit/web/routes/place.ts'
import { useSession } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useLanguage, useWords, type Language } from '#kit/web/words/words.tsx'
import { exportWords, listWords, propose, translator, withdraw, type WordRow } from '../endpoints.ts'
import { Where } from './Picture.tsx'
import './translate.css'

const shown: readonly Language[] = ['he', 'en', 'ar', 'ru', 'fr']
const onlys = ['all', 'missing', 'proposed', 'stale'] as const
type Only = (typeof onlys)[number]

const refresh = () =>
  Promise.all([listWords, translator].map((one) => queryClient.invalidateQueries({ queryKey: keyOf(one) })))

/** The address opens for everyone; the table itself for translators who are logged in. */
export function Screen() {
  const t = useWords()
  return useSession() ? (
    <Table />
  ) : (
    <LogInFirst whole icon={Languages} title={t('screens.translate')}>
      {t('translations.logIn')}
    </LogInFirst>
  )
}

/** The translator's table: every word of the product in its five languages, and what is proposed for it. */
function Table() {
  const t = useWords()
  const { lang } = useLanguage()
  const phone = usePhone()
  const { query, setQuery } = usePlace()
  const { data: me, error: failure } = useCall(translator, {}, { staleTime: 0 })
  const [search, setSearch] = useState('')
  const [open, setOpen] = useState<WordRow>()
  const beside = shown.find((one) => one === query.beside)
  // At a desk all five stand beside each other until one is chosen; a card of a phone has room for one.
  const besides = beside
    ? [beside]
    : phone
      ? [lang === 'he' ? ('en' as const) : lang]
      : shown.filter((one) => one !== 'he')
  const only = onlys.find((one) => one === query.only) ?? 'all'
  const page = Number(query.page) || 1
  const domain = query.domain ?? ''
  const asked = {
    domain,
    only,
    page,
    ...(query.group ? { group: query.group } : {}),
    ...(query.since ? { sinceDay: query.since } : {}),
    ...(search.trim() ? { search: search.trim() } : {}),
  }
  const { data, error, isLoading, refetch } = useCall(listWords, asked, {
    staleTime: 0,
    enabled: me?.may === true,
    placeholderData: (old) => old,
  })
  if (failure) return <Note tone="late">{failureText(t, failure)}</Note>
  if (!me) return <Skeleton lines={6} />
  if (!me.may)
    return (
      <EmptyState whole icon={Languages} title={t('translations.notYours.title')}>
        {t('translations.notYours.text')}
      </EmptyState>
    )
  const pages = data ? Math.max(1, Math.ceil(data.total / data.size)) : 1
  const set = (part: Record<string, string | undefined>) => setQuery({ page: undefined, ...part })
  return (
    <div className="tr-page">
      <PageHeader
        title={t('screens.translate')}
        sub={t('translations.sub')}
        actions={
          <Button
            icon={Download}
            onPress={() =>
              void callFile(exportWords, { domain }).catch((e: unknown) => banner.error(failureText(t, e)))
            }
          >
            {t('translations.export')}
          </Button>
        }
      />
      <div className="tr-tools">
        <TextField
          label={t('translations.search')}
          type="search"
          value={search}
          max={200}
          onChange={(next) => {
            setSearch(next)
            set({})
          }}
        />
        <ChoiceField<string>
          label={t('translations.group')}
          as="list"
          clearable
          optional
          value={query.group ?? null}
          onChange={(group) => set({ group: group ?? undefined })}
          choices={me.groups.map((value) => ({ value, label: value }))}
        />
        <ChoiceField<Language>
          label={t('translations.beside')}
          as="list"
          clearable
          optional
          placeholder={t('translations.allLanguages')}
          value={beside ?? null}
          onChange={(next) => set({ beside: next ?? undefined })}
          choices={shown
            .filter((one) => one !== 'he')
            .map((value) => ({ value, label: languageNames[value] }))}
        />
        <DayField
          label={t('translations.since')}
          optional
          value={query.since ?? null}
          onChange={(day) => set({ since: day ?? undefined })}
        />
        {me.brands.length > 0 && (
          <ChoiceField<string>
            label={t('translations.brand')}
            as="list"
            value={domain}
            onChange={(next) => set({ domain: next || undefined })}
            choices={[
              { value: '', label: t('translations.product') },
              ...me.brands.map((one) => ({ value: one.domain, label: one.name })),
            ]}
          />
        )}
      </div>
      <ChoiceField<Only>
        label={t('translations.only')}
        value={only}
        onChange={(next) => set({ only: next === 'all' ? undefined : (next ?? undefined) })}
        choices={onlys.map((value) => ({ value, label: t(`translations.onlys.${value}`) }))}
      />
      {data && <p className="sub">{t('translations.count', { count: data.total })}</p>}
      <DataTable
        label={t('screens.translate')}
        main
        rows={data?.rows ?? []}
        rowKey={(row) => row.key}
        rowName={(row) => row.key}
        loading={isLoading}
        onOpen={setOpen}
        empty={
          error ? (
            <Failed error={error} onRetry={refetch} />
          ) : (
            <EmptyState icon={Languages} title={t('translations.none.title')}>
              {t('translations.none.text')}
            </EmptyState>
          )
        }
        columns={[
          {
            key: 'key',
            title: t('translations.key'),
            strong: true,
            width: 'trim',
            cell: (row) => (
              <bdi dir="ltr" data-code data-whole>
                {row.key}
              </bdi>
            ),
            phone: 'title',
          },
          {
            key: 'he',
            title: languageNames.he,
            width: 'trim',
            cell: (row) => (
              <span data-code>
                <TextCell value={row.texts.he} />
              </span>
            ),
            phone: 'line',
          },
          ...besides.map((one) => ({
            key: one,
            title: languageNames[one],
            width: 'trim' as const,
            cell: (row: WordRow) => (
              <span data-code lang={one}>
                <TextCell value={row.proposals[one]?.text ?? row.texts[one]} />
              </span>
            ),
            phone: 'line' as const,
          })),
          {
            key: 'state',
            title: t('translations.state'),
            width: 'fit',
            cell: (row) => <WordState of={row} />,
            phone: 'state',
          },
        ]}
      />
      {pages > 1 && (
        <div className="tr-pages">
          {page > 1 && (
            <Button onPress={() => setQuery({ page: String(page - 1) })}>{t('translations.back')}</Button>
          )}
          <Num>{`${formatNumber(page)} / ${formatNumber(pages)}`}</Num>
          {page < pages && (
            <Button onPress={() => setQuery({ page: String(page + 1) })}>{t('translations.next')}</Button>
          )}
        </div>
      )}
      {open && (
        <WordSheet
          key={open.key}
          row={data?.rows.find((one) => one.key === open.key) ?? open}
          domain={domain}
          onClose={() => setOpen(undefined)}
        />
      )}
    </div>
  )
}

function WordState({ of: { texts, proposals } }: { of: WordRow }) {
  const t = useWords()
  const all = Object.values(proposals)
  if (all.some((one) => one.isStale))
    return <StatusPill tone="wait">{t('translations.states.stale')}</StatusPill>
  if (all.length) return <StatusPill tone="info">{t('translations.states.proposed')}</StatusPill>
  if (shown.some((one) => !texts[one]))
    return <StatusPill tone="wait">{t('translations.states.missing')}</StatusPill>
  return <StatusPill tone="done">{t('translations.states.whole')}</StatusPill>
}

/**
 * One word: where it is used, and in each language the present text, the proposals and the preferred wording.
 */
function WordSheet({ row, domain, onClose }: { row: WordRow; domain: string; onClose: () => void }) {
  const t = useWords()
  return (
    <SideSheet
      isOpen
      size="l"
      onClose={onClose}
      title={
        <bdi dir="ltr" data-code>
          {row.key}
        </bdi>
      }
    >
      <div className="tr-form">
        <Where of={row} />
        {row.changedAt && (
          <p className="sub">{t('translations.changedAt', { at: formatMoment(new Date(row.changedAt)) })}</p>
        )}
        {shown.map((language) => (
          <OneLanguage
            key={`${language} ${row.proposals[language]?.at ?? ''}`}
            row={row}
            language={language}
            domain={domain}
          />
        ))}
      </div>
    </SideSheet>
  )
}

function OneLanguage({ row, language, domain }: { row: WordRow; language: Language; domain: string }) {
  const t = useWords()
  const form = useId()
  const now = row.texts[language] ?? ''
  const proposal = row.proposals[language]
  const [text, setText] = useState(proposal?.text ?? now)
  const { busy, rest, error, run, place } = useAction(
    ['text'],
    async () => {
      await call(propose, { domain, key: row.key, language, text })
      await refresh()
    },
    { stays: true },
  )
  const back = async () => {
    try {
      await call(withdraw, { domain, key: row.key, language })
      await refresh()
    } catch (e) {
      banner.error(failureText(t, e))
    }
  }
  return (
    <form id={form} className="tr-form" noValidate ref={place} onSubmit={run} lang={language}>
      {proposal && (
        <section>
          <h3>{t('translations.now', { language: languageNames[language] })}</h3>
          <p className="tr-text" dir="auto" data-code>
            {now || '–'}
          </p>
        </section>
      )}
      {proposal?.isStale && (
        <Note tone="wait">{t('translations.isStale', { was: proposal.was || '–' })}</Note>
      )}
      <LongText
        label={languageNames[language]}
        rows={2}
        value={text}
        max={4000}
        onChange={setText}
        {...error('text', text)}
      />
      {rest && <Note tone="late">{rest}</Note>}
      {(text !== (proposal?.text ?? now) || proposal) && (
        <div className="tr-pages">
          {text !== (proposal?.text ?? now) && (
            <Button kind="primary" type="submit" busy={busy}>
              {t(domain ? 'translations.keep' : 'translations.propose')}
            </Button>
          )}
          {proposal && (
            <Button icon={Undo2} onPress={() => void back()}>
              {t('translations.withdraw')}
            </Button>
          )}
          {proposal && (
            <span className="hint">
              {t('translations.by', { name: proposal.by, at: formatMoment(new Date(proposal.at)) })}
            </span>
          )}
        </div>
      )}
    </form>
  )
}
