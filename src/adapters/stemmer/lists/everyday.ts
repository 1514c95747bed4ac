/** Everyday words of requests, by what is done and by what it is done to, in the form of the thesaurus. */
export const everyday = `
split divide : divide separate break_up split_up break_down cut_up
terminate stop kill : kill quit hangs hanging frozen stuck unresponsive
amplify volume gain normalize : louder quieter too_quiet too_loud
silence mute : mute silent hush
label marker annotation : marker mark bookmark tag_it
mock stub simulate : fake dummy pretend
long press hold : hold_finger keep_pressed
tap click press : touch
swipe scroll : scroll flick
boolean subtract cut difference : subtract cut_away
boolean join combine unite : fuse
pattern array duplicate repeat : repeat_the grid_of copies_of
replace find rename : every_occurrence everywhere
default defaults set session : always_use from_now_on
task todo list : to_do todo todos chores
paragraph text insert append : paragraph sentence
document doc text : letter essay memo
movie film video : film movie
series show episode : tv_show season seasons
entity state sensor device : front door window garage lamp heater gate
device entity overview list : smart_devices gadgets gadget
transaction expense spending : spent spend spending paid_for cost_us
mass bulk batch multiple : simultaneously at_the_same_time in_one_step each_of_them
property set color material : red green blue yellow transparent
source script code : code_of
targeting rollout percentage rule : roll_out roll percent_of
pattern rule check : rule lint
connection string url database : database_url dsn
create branch : branch_the
history activity changes : who_moved who_edited what_happened
uninstall remove : deinstall
session live interactive : by_hand manually click_around
logbook history state : last_night what_happened when_did
download add grab : grab
equalizer equalization filter : bass treble
fade : fade_out fade_in
transpose pitch semitone : transpose key_of higher_key
noise reduction cleanup : hiss hum background_noise noisy crackle
trim cut clip : shorten shorter cut_off
merge concatenate join : join_together stitch glue one_after
extract audio track : soundtrack sound_of
subtitle caption srt : captions subtitle subtitles
frame thumbnail still : still_image stills
compress reduce size quality : too_big too_large smaller_file
resolution codec metadata duration : how_long resolution bitrate
convert format encode : turn_into save_as reencode
rotate orientation : turn_it sideways upright
undo revert : step_back take_back went_wrong
redo : do_it_again
duplicate clone copy : another_one same_again
archive : put_away
restore recover undelete : get_back bring_back go_back_to
enable activate on : activate switched_on allow
disable deactivate off suppress : deactivate switch_off turned_off
monitor watch subscribe : keep_an_eye keep_me_posted follow
unmonitor unwatch unsubscribe : stop_watching stop_following stop_monitoring
pin : pin keep_on_top
lock protect : protect read_only
publish live release : go_live make_public
unpublish draft private : take_offline
schedule later : later_today next_week at_a_later
retry resend replay : try_again once_more send_again
validate verify check : valid correct is_it_right
lint format style : tidy clean_up_code beautify
summarize summary : gist_of short_version tl_dr
explain describe : what_is_a understand
analyze analysis inspect : examine look_into study
estimate forecast predict : guess expect
rank sort order : sort order_by
group cluster : group together
filter condition : only_the except
import load ingest : load_in bring_in
export dump save : get_out dump
synchronize sync refresh : up_to_date out_of_date refresh synchronise
health status check : healthy working_properly alive running_ok
diagnose troubleshoot health : what_is_wrong what_s_wrong find_out_why broken
reset default : start_over from_scratch
provision create allocate : reserve_a need_a_new
release free deallocate : give_back give_it_back no_longer_need
quota usage limit : how_much_is_left used_up remaining
storage disk space : space_left disk_full free_space
credential secret key token : password api_key
cron schedule trigger recurring : every_day every_night nightly every_hour each_morning
webhook hook callback endpoint : webhook notify_url
replica instance scale : more_servers
container logs output : its_output stdout console_output
environment variable : env env_var setting_of
domain host url : address_of subdomain
firewall rule port : open_port block_port
ssh key public : ssh_key
virtual machine server instance vm : vps virtual_machine machine
snapshot backup : snapshot backup
region location datacenter : data_centre data_center
dependency package library : package library
vulnerability security finding : insecure security_hole cve
coverage tested : tested untested covered
clone duplicate duplication : duplicated duplicates copy_paste repeated
complexity : complicated complex
diff changes : what_changed
defect bug : bug
result status outcome : passed failed pass fail
suite folder : test_folder
milestone version release : milestone
sprint iteration cycle : sprint sprints
story issue ticket : user_story
epic initiative : epic
subtask child : child_task sub_task subtask
relation link blocked dependency : blocked blocks blocker
estimate points : story_points effort
assign owner : assign_to_me mine my_task
board kanban : board
column status state workflow : done in_progress
feature flag toggle : toggle switch flag
variation variant : variation
audience segment targeting : only_for beta_users
audit log activity : who_did
collection folder : collection
specification spec openapi schema : swagger openapi api_spec
request endpoint api : http_request
accessibility wcag : contrast blind_users screen_reader
visual regression screenshot : looks_different pixel
root cause analysis : root_cause reason_for
simulator emulator : virtual_device
location gps : gps position
keyboard type keys : type_in enter_text
orientation landscape portrait : landscape portrait
crash report : crashed crashes crashing
screen recording video : record_the_screen film_the_screen
home back button press : home_button back_button
permission sharing access : share_with who_can_see visible_to
link shareable : link_to share_link
slide page presentation : slide
sheet tab worksheet : tab another_tab
cell value range : cell cells
formula : formula calculate_in
heading style paragraph : heading title_style bold italic
table rows columns insert : table
comment discussion : comments remark
form question response : survey questionnaire answers
contact person : phone_number address_book
out_of_office vacation : on_vacation on_holiday out_of_office away_until
calendar event : appointment
reminder : remind
receipt attachment file : receipt scan_of
category : category
tag label : tag
recurring subscription : subscription subscriptions every_month monthly
budget summary : budget within_budget
balance history net worth : net_worth wealth
account manual asset : savings savings_account by_hand
crypto balance : bitcoin ethereum
split transaction : split_the_bill
group transactions : group_together
payee merchant : shop_name
rule automation : automatically
automation trigger : automatically at_sunset when_i_leave
scene script routine : routine
helper input_boolean : guest_mode virtual_switch
dashboard view card : dashboard
light switch service call : lights light
climate temperature service call : heating thermostat warmer colder
cover blinds service call : blinds shutters curtains
directions route : get_from way_to how_to_get
distance duration travel : how_far how_long_does
route optimize waypoints stops : best_order round_trip several_stops
places along route : on_the_way along_the_way
nearby places search : near_me nearby around_here close_by
place details hours reviews : opening_hours open_now
compare places : which_is_better better_of
map static image markers : map_with show_on_map
elevation altitude : how_high above_sea
timezone local time : what_time_is
weather forecast : rain raining umbrella sunny hot cold
air quality : pollen smog
quality profile : better_quality higher_quality
queue download item : stuck_download
add monitor library : get_downloaded
root folder path disk : media_disk
torrent download client : torrent usenet
extrude solid : pull_out make_it_3d
fillet round edge : round rounded
chamfer bevel edge : bevel
revolve rotate profile axis : spin lathe
sketch line circle rectangle : outline
hole drill : drill
mirror symmetric : symmetrical
shell hollow : hollow
thicken : thicker
draft taper angle : taper tapered slanted
joint assembly connect components : hinge connect_the
measure distance : how_far_apart distance_between
measure angle : how_steep
mass volume physical properties : how_heavy weigh
sheet metal flat unfold : laser_cutter unfold
parameter dimension : dimension
part object instance create : part block brick
navigate character move : walk walk_to
hierarchy tree : hierarchy outline_of
asset marketplace library : free_model
playtest simulate run : play_the_game test_game
attribute property : attribute
chess engine evaluate : best_move
recipe ingredients : cook cook_with
nutrition calories : calories
workout exercise : exercise
book reading shelf : to_read
podcast episode : podcast
lyrics : words_of_the_song
concert event ticket : concert gig
parcel shipment tracking : package where_is_my
flight status : on_time delayed landed
train departure timetable : next_train departures
exchange rate convert : in_euros in_dollars
stock quote : share_price
news headline article : headlines news
translate language : in_german in_french in_english
dictionary definition : meaning_of definition_of
synonym word : another_word
image generate prompt : draw_me paint_me picture_of
image upscale enhance : sharper higher_resolution
background remove : cut_out
watermark : watermark
color palette theme : colours
font typography : typeface
icon logo : icon
qr code barcode : qr_code
signature sign : sign
pdf merge split : pages_of
ocr text recognition : read_the_scan
speech transcribe : transcript
voice speech synthesis : read_aloud
dataset table column : columns fields
query sql execute : sql
schema describe structure : columns_of fields_of structure
migration schema change : migration add_a_column
index performance slow : slow too_slow
user account : login
role permission : admin rights
team organization members : team_members colleagues
invite add member : invite
session token revoke : sign_out log_out
two_factor mfa : 2fa
message send post : text_him text_her tell_them
channel room space : chat_room
thread reply : reply
reaction emoji : thumbs_up react
poll vote : vote
voice call meeting : call
meeting transcript notes : minutes
knowledge base article : manual how_to
ticket support case : support_request
customer client contact : client
order purchase : ordered
refund : money_back
shipping delivery : deliver
inventory stock quantity : in_stock sold_out
discount coupon promotion : percent_off voucher promo
invoice bill : bill
payment charge : charge
tax vat : vat sales_tax
payroll salary : wages
leave absence time_off : day_off sick
expense report : expenses
timesheet time entry : hours
course lesson : class
quiz test question : exam
grade score : mark_of
paper publication : papers
citation reference : cite
theorem proof lemma : prove proved
goal state proof : what_is_left_to_prove
embedding vector similarity : similar_to
model deploy inference : run_the_model
gpu pod instance : gpu
prompt template : prompt
agent run actor : scraper crawler
crawl scrape extract : scrape all_pages
search web : google look_online
page content markdown : text_of_the_page
sitemap urls map : all_links subpages
rank keyword search position : ranking rankings
traffic visitors analytics : visitors visits
campaign ads : advert ads
post social publish : tweet toot
follower subscribers : followers
hashtag trend : trending
options values choices : possible_values can_have allowed_values
visual similar search : that_look_like like_this_one similar_pictures
transform crop resize : crop
references reference images : style_of inspired_by
relation relate association : link_the belongs_together
update customer profile : new_address new_phone
saved payment method : on_file
report : figures sales_report
localization language translation : languages translated
capability entitlement : push_notifications
comments discussion : say_on said_on say_about
mailbox folder : mail_folder mail_folders
health connection status : be_reached reachable is_down
get messages emails batch : these_mails these_messages these_five
histogram frequency : distribution spread_of
radar multidimensional : spider_chart spider
correlation scatter : correlation
schedule later : tomorrow_at monday_at later_at
send draft : draft
archive remove : archive
analytics statistics report : statistics figures
tester beta group : testflight beta_test
price pricing cost gpu type : cost_per per_hour hourly
maximum limit update scale : raise_the increase lower_the
capacity availability : free_right available_now
upsert records index : vector_database vector_store
references usages : used_by where_is_it_used is_used
references occurrences symbol : lemma_used function_used
declaration definition source : go_to_definition definition_of
hover type signature : what_type
shape icon category : icon icons
delete cell shape : shape_from
edit cell shape : box
padding spacing : space_inside inner_space
layout mode direction : vertically horizontally arrange
annotations notes : notes_of
type keys text : in_the_field into_the_field
`;
