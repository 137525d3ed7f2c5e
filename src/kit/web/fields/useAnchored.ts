import { useLayoutEffect, type RefObject } from 'react'

/**
 * Shows a `popover="manual"` element in the browser's top layer under its anchor, above it when there is no
 * room below, as wide as the anchor at least. It stays where it is written in the document, so it belongs to
 * the same landmark and the same dialog as its field.
 */
export function useAnchored(
  popRef: RefObject<HTMLElement | null>,
  anchorRef: RefObject<HTMLElement | null>,
  isOpen: boolean,
): void {
  useLayoutEffect(() => {
    const element = popRef.current
    if (!element || !isOpen) return
    element.showPopover()
    const place = () => {
      const box = anchorRef.current?.getBoundingClientRect()
      if (!box) return
      const gap = 4
      const edge = 8
      const view = visualViewport
      const height = view?.height ?? innerHeight
      const below = height - box.bottom - gap - edge
      const above = box.top - gap - edge
      const up = below < 160 && above > below
      element.style.minInlineSize = `${box.width}px`
      element.style.maxBlockSize = `${Math.min(320, up ? above : below)}px`
      const { width } = element.getBoundingClientRect()
      const rtl = getComputedStyle(element).direction === 'rtl'
      const left = rtl ? box.right - width : box.left
      element.style.left = `${Math.max(edge, Math.min(left, innerWidth - width - edge))}px`
      element.style.top = up ? 'auto' : `${box.bottom + gap}px`
      element.style.bottom = up ? `${innerHeight - box.top + gap}px` : 'auto'
    }
    place()
    const watch = new ResizeObserver(place)
    watch.observe(element)
    addEventListener('scroll', place, { capture: true, passive: true })
    addEventListener('resize', place)
    visualViewport?.addEventListener('resize', place)
    return () => {
      watch.disconnect()
      removeEventListener('scroll', place, { capture: true })
      removeEventListener('resize', place)
      visualViewport?.removeEventListener('resize', place)
      if (element.isConnected) element.hidePopover()
    }
  }, [popRef, anchorRef, isOpen])
}
