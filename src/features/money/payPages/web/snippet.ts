const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign]!)

/**
 * The code a site pastes to embed the page: the frame, and a few lines that make it as high as its content. The
 * outcome of the payment is sent to the site as a message of the window (`source: 'pinkas'`, `type: 'state'`).
 */
export function snippetOf(frameUrl: string, title: string): string {
  const { origin } = new URL(frameUrl)
  return `<iframe src="${frameUrl}" title="${escaped(title)}" allow="payment" style="width:100%;height:700px;border:0"></iframe>
<script>
  addEventListener('message', function (event) {
    if (event.origin !== '${origin}' || !event.data || event.data.source !== 'pinkas') return
    document.querySelectorAll('iframe').forEach(function (frame) {
      if (frame.contentWindow !== event.source) return
      if (event.data.type === 'height') frame.style.height = event.data.height + 'px'
      if (event.data.type === 'state') frame.dispatchEvent(new CustomEvent('pinkas', { detail: event.data }))
    })
  })
</script>`
}
