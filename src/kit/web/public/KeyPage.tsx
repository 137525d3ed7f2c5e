import { FileX2, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { CallFailure } from '../calls/call.ts'
import { EmptyState } from '../parts/EmptyState.tsx'
import { Failed } from '../parts/Failed.tsx'
import { Skeleton } from '../parts/Skeleton.tsx'
import { LanguageMenu } from '../shell/LanguageMenu.tsx'
import { PublicFoot } from '../shell/PublicFrame.tsx'
import { useOwnLanguage } from '../words/useOwnLanguage.ts'
import './public.css'

export interface KeyPageProps<T extends { language: string }> {
  /** What the key opens, as `useCall` has it now. */
  asked: { data: T | undefined; error: unknown; refetch: () => unknown }
  /** Said when the key opens nothing. */
  missing: { icon?: LucideIcon; title: string; text: string }
  /** A form: narrower than paper. */
  narrow?: boolean
  /** The colour of the strip at the top, and the part beside the language. */
  accent?: string | undefined
  head?: ReactNode
  children: (data: T) => ReactNode
}

/**
 * A page that the key in its address opens for an outsider, in the language of the page until another is chosen.
 * Before it arrives, when the key opens nothing and when no answer arrives, the same page says so.
 */
export function KeyPage<T extends { language: string }>({
  asked,
  missing,
  narrow,
  accent,
  head,
  children,
}: KeyPageProps<T>) {
  const { data, error, refetch } = asked
  useOwnLanguage(data?.language)
  return (
    <div className="pub-page" data-narrow={narrow || undefined}>
      <div className="pub-strip" style={{ background: accent }} aria-hidden />
      <header className="pub-head">
        {head ?? <span />}
        <LanguageMenu full />
      </header>
      <main id="content" tabIndex={-1} className="pub-main">
        {data ? (
          children(data)
        ) : !error ? (
          <Skeleton lines={6} />
        ) : (
          <div className="s-state">
            {error instanceof CallFailure && error.status === 404 ? (
              <EmptyState whole icon={missing.icon ?? FileX2} title={missing.title}>
                {missing.text}
              </EmptyState>
            ) : (
              <Failed error={error} onRetry={refetch} />
            )}
          </div>
        )}
      </main>
      {/* With the page and not before it: under a skeleton of another height it would jump. */}
      {data || error ? <PublicFoot ofBusiness /> : null}
    </div>
  )
}
