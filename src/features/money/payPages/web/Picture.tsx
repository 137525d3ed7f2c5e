import { useEffect, useRef } from 'react'
import { useCall } from '#kit/web/calls/call.ts'
import { pageWords, type PageContent } from '../endpoints.ts'
import { shownPage, type Language } from '../shown.ts'
import './public/page.css'
import { drawPage } from './public/draw.ts'

/** The page as it will be, drawn by the very code that draws it for payers; only looked at. */
export function Picture({
  content,
  language,
  size,
  picture,
  label,
}: {
  content: PageContent
  language: Language
  size: 'phone' | 'desk'
  picture: string
  label: string
}) {
  const place = useRef<HTMLDivElement>(null)
  const { data } = useCall(pageWords, { language }, { staleTime: 60_000 })
  useEffect(() => {
    if (!data || !place.current) return
    const page = shownPage(content, {
      language,
      state: 'open',
      business: data.business,
      brandAccent: data.accent,
      logo: '',
      picture,
      placesLeft: content.places ?? null,
      leftOf: (id) => content.items.find((item) => item.id === id)?.stock ?? null,
      online: true,
      test: false,
      wallets: data.wallets,
    })
    drawPage(place.current, page, data.words)
  }, [content, language, data, picture])
  return (
    <div className="pe-desk" data-size={size} role="img" aria-label={label}>
      <div className="pe-frame" inert>
        <div ref={place} />
      </div>
    </div>
  )
}
