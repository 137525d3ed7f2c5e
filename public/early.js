// Runs before the first paint, so that a dark page does not flash white and a Latin one does not jump sides.
;(function () {
  function kept(name) {
    try {
      var value = localStorage.getItem(name)
      if (value !== null) return value
    } catch {}
    var found = document.cookie.split('; ').find(function (pair) {
      return pair.indexOf(name + '=') === 0
    })
    return found ? decodeURIComponent(found.slice(name.length + 1)) : null
  }
  var root = document.documentElement
  var dark = kept('darkMode')
  if (dark === null) dark = String(matchMedia('(prefers-color-scheme: dark)').matches)
  root.dataset.theme = dark === 'true' ? 'dark' : 'light'
  var lang = { 359: 'he', 139: 'en', 606: 'ru', 15: 'ar', 282: 'fr' }[kept('langXmlNumber')]
  if (lang) {
    root.lang = lang
    root.dir = lang === 'he' || lang === 'ar' ? 'rtl' : 'ltr'
  }
})()
