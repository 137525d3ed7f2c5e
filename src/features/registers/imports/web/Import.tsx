import { CloudOff } from 'lucide-react'
import { useState } from 'react'
import { useCall, queryClient, keyOf, putAnswer } from '#kit/web/calls/call.ts'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { usePlace } from '#kit/web/routes/place.ts'
import { refreshResource, resourceNamed } from '#kit/web/screens/resources.ts'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import { JobProgress } from '#features/base/jobs/web/index.tsx'
import { getImport, importable, importRows, listImports } from '../endpoints.ts'
import { Choose } from './Choose.tsx'
import { Columns } from './Columns.tsx'
import { Done } from './Done.tsx'
import './imports.css'
import { Judged } from './Judged.tsx'
import { useWordsOf } from '#kit/web/words/wording.ts'
import type { Whole } from './whole.ts'
import { inLanguage, registerTitle } from './words.ts'

const isBusy = ({ state }: Whole): boolean =>
  state === 'checking' || state === 'running' || state === 'undoing'

/**
 * A file becomes records in three steps: choose it, say what its columns are, look at what would happen.
 * Until then nothing is changed.
 */
export function Screen() {
  const t = useWords()
  const { params, query } = usePlace()
  const registers = useCall(importable, {})
  const found = registers.data?.rows.find(({ resource }) => resource === params.resource)
  const register = found && {
    ...found,
    title: registerTitle(t, found),
    fields: inLanguage(t, found.resource, found.fields),
  }
  const list = resourceNamed(params.resource)?.screens.list
  const title = t('imports.title', { register: register?.title ?? '' })
  return (
    <>
      <PageHeader
        title={register ? title : t('screens.importFile')}
        crumbs={[
          { label: t('screens.tools'), href: '/invoice/tools' },
          ...(register && list ? [{ label: register.title, href: list }] : []),
        ]}
      />
      {registers.error ? (
        <Failed error={registers.error} onRetry={registers.refetch} />
      ) : !registers.data ? (
        <Skeleton />
      ) : !register ? (
        <EmptyState
          icon={CloudOff}
          title={t('imports.notHere')}
          actions={<Button href="/invoice/tools">{t('screens.tools')}</Button>}
        >
          {t('errors.imports.notImportable')}
        </EmptyState>
      ) : query.id ? (
        <One key={query.id} id={query.id} />
      ) : (
        <Choose resource={register.resource} fields={register.fields} />
      )}
    </>
  )
}

function One({ id }: { id: string }) {
  const t = useWords()
  const { data, error, refetch } = useCall(getImport, { id }, { staleTime: 0 })
  const [changing, setChanging] = useState(false)
  // The choices of a column are said in the words of what is brought in.
  useWordsOf(data?.resource ?? '')
  if (error && !data) return <Failed error={error} onRetry={refetch} />
  if (!data) return <Skeleton />
  const one = {
    ...data,
    fields: inLanguage(t, data.resource, data.fields),
    keys: inLanguage(t, data.resource, data.keys),
  }
  const take = (next: Whole) => {
    putAnswer(getImport, { id }, next)
    setChanging(false)
    void queryClient.invalidateQueries({ queryKey: keyOf(importRows) })
    void queryClient.invalidateQueries({ queryKey: keyOf(listImports) })
  }
  const ended = () => {
    void refetch()
    void queryClient.invalidateQueries({ queryKey: keyOf(importRows) })
    const resource = resourceNamed(one.resource)
    if (resource && one.state !== 'checking') void refreshResource(resource)
  }
  if (isBusy(one))
    return (
      <div className="im-page" role="status">
        {one.jobId && <JobProgress key={one.jobId} id={one.jobId} onEnd={ended} />}
        <p className="hint">{t('imports.mayLeave')}</p>
      </div>
    )
  return (
    <div className="im-page">
      {one.error && <Note tone="late">{t(`errors.${one.error.code}`, one.error.params)}</Note>}
      {one.state === 'read' || one.state === 'failed' || changing ? (
        <Columns one={one} onChange={take} {...(changing ? { onBack: () => setChanging(false) } : {})} />
      ) : one.state === 'checked' ? (
        <Judged one={one} onChange={take} onColumns={() => setChanging(true)} />
      ) : (
        <Done one={one} onChange={take} />
      )}
    </div>
  )
}
