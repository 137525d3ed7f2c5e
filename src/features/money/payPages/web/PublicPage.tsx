import { Link2Off } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useCall } from '#kit/web/calls/call.ts'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { usePlace } from '#kit/web/routes/place.ts'
import { useTitle } from '#kit/web/routes/router.tsx'
import { useLanguage, useWords } from '#kit/web/words/words.tsx'
import { showPayPage } from '../endpoints.ts'
import './public/page.css'
import { startPage } from './public/start.ts'

/**
 * The page of a payer inside the application: who comes from within it sees the very page that is sent alone
 * to everybody else.
 */
export function Screen() {
  const t = useWords()
  const { lang: own } = useLanguage()
  const { params, query } = usePlace()
  const key = params.key ?? ''
  const place = useRef<HTMLDivElement>(null)
  const { data, error } = useCall(
    showPayPage,
    { key, language: query.lang ?? own },
    { refetchOnWindowFocus: false, retry: false },
  )
  useTitle(data && `${data.page.title}, ${data.page.business.name}`)
  useEffect(() => (data && place.current ? startPage(place.current, data as never) : undefined), [data])
  if (error)
    return (
      <main className="pub-page">
        <EmptyState icon={Link2Off} title={t('payPages.notFound')}>
          {t('payPages.notFoundText')}
        </EmptyState>
      </main>
    )
  if (!data)
    return (
      <main className="pub-page">
        <Skeleton lines={6} />
      </main>
    )
  return <div ref={place} className="pp" />
}
