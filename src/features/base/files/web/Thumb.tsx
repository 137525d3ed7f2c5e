import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { callBytes, keyOf } from '#kit/web/calls/call.ts'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { useObjectUrl } from '#kit/web/calls/useObjectUrl.ts'
import { thumbnail } from '../endpoints.ts'
import { iconOf, isPicture } from './kinds.ts'

/** The small picture of a picture, fetched when it comes near the screen; a sign of its kind for all else. */
export function Thumb({ id, mime }: { id: string; mime: string }) {
  const place = useRef<HTMLSpanElement>(null)
  const [near, setNear] = useState(false)
  useEffect(() => {
    if (!isPicture(mime) || near || !place.current) return
    const watch = new IntersectionObserver(
      (seen) => seen.some((one) => one.isIntersecting) && setNear(true),
      { rootMargin: '200px' },
    )
    watch.observe(place.current)
    return () => watch.disconnect()
  }, [mime, near])
  const { data } = useQuery({
    queryKey: keyOf(thumbnail, { id }),
    queryFn: async ({ signal }) => (await callBytes(thumbnail, { id }, { signal, quiet: true })).blob,
    enabled: near,
    staleTime: Infinity,
  })
  const url = useObjectUrl(data)
  return (
    <span ref={place} className="fi-thumb" aria-hidden>
      {url ? <img src={url} alt="" /> : <Icon of={iconOf(mime)} size="l" />}
    </span>
  )
}
