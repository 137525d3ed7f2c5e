import { useEffect, useRef } from 'react'
import { Banners } from '../parts/Notices.tsx'
import { banner } from './banner.ts'
/**
 * The banners; a click anywhere on one takes it away, its own buttons aside. The keyboard has the button at
 * its end.
 */
export function Said() {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const said = place.current
    const dismiss = (event: MouseEvent) => {
      if (!(event.target as Element).closest('button, a')) banner.clear()
    }
    said?.addEventListener('click', dismiss)
    return () => said?.removeEventListener('click', dismiss)
  }, [])
  return (
    <div className="s-said" ref={place}>
      <Banners />
    </div>
  )
}
