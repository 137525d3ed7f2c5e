<?php
/**
 * Runs the plug-in against an order as WooCommerce recorded it, with WordPress and WooCommerce stubbed: php run.php <recorded.json> <answer.json>.
 * Prints what was sent, what was kept on the order and what people are shown, as JSON.
 */

error_reporting( E_ALL );
set_error_handler(
	static function ( $no, $text, $file, $line ) {
		throw new ErrorException( $text, 0, $no, $file, $line );
	}
);

define( 'ABSPATH', __DIR__ );
define( 'DAY_IN_SECONDS', 86400 );

$seen = array( 'hooks' => array(), 'posts' => array(), 'scheduled' => array(), 'log' => array(), 'notes' => array(), 'compatible' => null );
$options = array( 'pinkas_wc' => array( 'url' => 'https://pinkas.test', 'key' => 'pk_test', 'shop' => '01900000-0000-7000-8000-000000000000', 'mail' => 'yes' ) );

function add_action( $name, $run, $order = 10, $args = 1 ) { $GLOBALS['seen']['hooks'][ $name ][] = $run; }
function add_filter( $name, $run ) { add_action( $name, $run ); }
function do_hook( $name, ...$args ) { foreach ( $GLOBALS['seen']['hooks'][ $name ] ?? array() as $run ) { call_user_func_array( $run, $args ); } }
function register_activation_hook( $file, $run ) {}
function register_deactivation_hook( $file, $run ) {}
function get_option( $name, $else ) { return $GLOBALS['options'][ $name ] ?? $else; }
function get_locale() { return 'he_IL'; }
function wp_strip_all_tags( $text ) { return strip_tags( $text ); }
function wp_json_encode( $of ) { return json_encode( $of ); }
function untrailingslashit( $text ) { return rtrim( $text, '/' ); }
function esc_url_raw( $text ) { return $text; }
function esc_url( $text ) { return htmlspecialchars( $text ); }
function esc_html( $text ) { return htmlspecialchars( $text ); }
function __( $text ) { return $text; }
function wp_next_scheduled() { return false; }
function as_has_scheduled_action( $hook, $args ) { return in_array( array( $hook, $args ), array_map( static function ( $one ) { return array( $one[1], $one[2] ); }, $GLOBALS['seen']['scheduled'] ), true ); }
function as_schedule_single_action( $at, $hook, $args ) { $GLOBALS['seen']['scheduled'][] = array( $at - time(), $hook, $args ); }
function is_wp_error( $of ) { return $of instanceof WP_Error; }
function wp_remote_post( $url, $how ) { $GLOBALS['seen']['posts'][] = array( 'url' => $url, 'headers' => $how['headers'], 'body' => json_decode( $how['body'], true ) ); return $GLOBALS['answer']; }
function wp_remote_retrieve_response_code( $of ) { return $of['status']; }
function wp_remote_retrieve_body( $of ) { return json_encode( $of['body'] ); }
function wc_get_logger() { return new class() { public function log( $level, $text ) { $GLOBALS['seen']['log'][] = "$level $text"; } }; }
function wc_get_order( $id ) { return $GLOBALS['order']; }
function wc_get_orders( $asked ) { return array( $GLOBALS['order']->get_id() ); }

class WP_Error {
	private $words;
	private $data;
	public function __construct( $code, $words, $data = array() ) { $this->words = $words; $this->data = $data; }
	public function get_error_message() { return $this->words; }
	public function get_error_data() { return $this->data; }
}

/** Answers get_<name>() from a recorded row. */
class Recorded {
	protected $of;
	public function __construct( $of ) { $this->of = $of; }
	public function __call( $name, $args ) {
		$field = substr( $name, 4 );
		$value = $this->of[ $field ] ?? null;
		if ( 0 === strpos( $field, 'date_' ) ) {
			return $value ? new DateTime( $value, new DateTimeZone( 'Asia/Jerusalem' ) ) : null;
		}
		return $value;
	}
}
class Item extends Recorded {
	public function get_product() { return new class( $this->of ) { private $of; public function __construct( $of ) { $this->of = $of; } public function get_sku() { return $this->of['sku'] ?? ''; } public function is_type( $types ) { return in_array( $this->of['product_type'] ?? 'simple', $types, true ); } }; }
}
class WC_Order extends Recorded {
	public $meta = array();
	public function get_id() { return (int) $this->of['id']; }
	public function get_order_number() { return $this->of['number']; }
	public function get_address( $kind ) { return $this->of[ $kind ] ?? array(); }
	public function get_items( $type = 'line_item' ) { return array_map( static function ( $one ) { return new Item( $one ); }, $this->of[ array( 'line_item' => 'line_items', 'shipping' => 'shipping_lines', 'fee' => 'fee_lines', 'gift_card' => 'gift_cards', 'pw_gift_card' => 'none' )[ $type ] ] ?? array() ); }
	public function get_refunds() { return array_map( static function ( $one ) { return new Recorded( $one ); }, $this->of['refunds'] ?? array() ); }
	public function get_meta( $key ) { return $this->meta[ $key ] ?? $this->of['meta'][ $key ] ?? ''; }
	public function update_meta_data( $key, $value ) { $this->meta[ $key ] = $value; }
	public function delete_meta_data( $key ) { unset( $this->meta[ $key ] ); }
	public function save() {}
	public function is_paid() { return in_array( $this->of['status'], array( 'processing', 'completed' ), true ); }
	public function add_order_note( $text ) { $GLOBALS['seen']['notes'][] = $text; }
}

$order  = new WC_Order( json_decode( file_get_contents( $argv[1] ), true ) );
$answer = json_decode( file_get_contents( $argv[2] ), true );

require dirname( __DIR__ ) . '/pinkas-for-woocommerce/pinkas-for-woocommerce.php';
do_hook( 'plugins_loaded' );
do_hook( 'woocommerce_payment_complete', $order->get_id() );
do_hook( 'woocommerce_order_status_processing', $order->get_id() );
do_hook( 'pinkas_send_order', $order->get_id(), 0 );
do_hook( 'pinkas_send_order', $order->get_id(), 0 );

$shown = array();
foreach ( array( 'woocommerce_admin_order_data_after_order_details' => array( $order ), 'woocommerce_order_details_after_order_table' => array( $order ), 'woocommerce_email_after_order_table' => array( $order, false, false ) ) as $hook => $args ) {
	ob_start();
	do_hook( $hook, ...$args );
	$shown[ $hook ] = ob_get_clean();
}
$clean = Pinkas_Settings::clean( array( 'url' => 'http://evil.example', 'key' => '', 'shop' => '<b>', 'mail' => '' ), array( 'key' => 'kept' ) );
echo json_encode( array( 'sent' => $seen['posts'], 'scheduled' => $seen['scheduled'], 'log' => $seen['log'], 'notes' => $seen['notes'], 'meta' => $order->meta, 'shown' => $shown, 'clean' => $clean, 'hooks' => array_keys( $seen['hooks'] ) ) );
