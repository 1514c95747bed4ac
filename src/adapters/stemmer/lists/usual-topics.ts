/** Words of requests that do not name their subject, in the form of the thesaurus. */
export const usualTopics = `
weather forecast : raincoat umbrella jacket coat sunglasses sunscreen freezing frost icy muggy drizzle thunder thunderstorm blizzard heatwave hail rain_today cold_outside warm_outside hot_outside wear picnic barbecue
weather current conditions : cold warm hot chilly humid windy outside degrees celsius fahrenheit
weather alert warning : hurricane tornado flood storm_warning severe
place details opening hours : open_on opens closes closed_on opening closing_time open_now phone_of rating_of
places search nearby : closest nearest around_here charge_my petrol parking supermarket bakery hospital dentist gym bar pub museum library hotel cinema
directions route : drive_to walk_from cycle_to bus_to train_to fastest_way best_way
geocode coordinates : lat lng gps
search web news : who_won election elections president prime_minister world_cup latest_news newest_news in_the_news announced happened_in population_of capital_of
crawl site pages : every_page all_pages whole_site entire_site
extract url content page : text_of_this read_this_page article_at
video : clip clips vlog tutorial tutorials
video compare : more_likes more_views
video details statistics : how_long_is uploaded views likes
video related similar : similar_to like_this_one
transcript captions : spoken
trending popular videos : viral going_viral trends
explain term : mean_on slang abbreviation
cell range values : cell cells
update values write cells : into_cell in_cell to_cell
clear values range : empty blank blank_out
get values range : read_cells value_of
append values rows : at_the_end_of_the_sheet new_row next_row
conditional formatting : cells_above cells_below cells_over cells_under in_green in_red if_negative
chart create : pie_chart bar_chart line_chart plot graph histogram
spreadsheet create : blank_spreadsheet new_spreadsheet new_sheet
hyperlink link insert : hyperlink
sheet tab duplicate copy : copy_the_tab
columns delete : drop_column
filter rule : rule rules mail_rule mail_rules
filter delete : remove_the_rule delete_the_rule
filter list : which_rules
search emails : any_message any_mail heard_from wrote_me mail_from email_from letter_from
send email : by_mail by_email mail_him mail_her write_him write_her email_him email_her
modify labels emails : put_all_these_messages into_the_folder
read email : latest_email newest_mail
event details : take_place takes_place location_of_the held
event create : block_two block_out block_time pencil_in slot_in
events list : full_is busy_is how_full how_busy
freebusy : have_time time_for any_gaps gap
post message channel : know_the channel_know tell_the inform_the
log commits : committed_last last_committed latest_commits who_committed
diff staged : next_commit go_into about_to_be_committed
create branch : begin_a_branch
nodes open search memory : you_stored you_saved you_noted remember_of stored_on
observations add memory : allergic favourite favorite birthday prefers hates loves
create customer : paying_customer new_customer sign_up_customer
update subscription : yearly_plan monthly_plan change_plan upgrade_the_customer downgrade
update dispute : submit_evidence evidence fight_the
invoice item : line_for add_a_line_for line_item
prices list : what_do_we_charge pricing
objects update deal contact : deal_stage closed_won closed_lost lifecycle_stage
objects search deal company contact : in_our_crm in_the_crm
user details token account : connected_with connected_as
find query documents : the_document documents_where document_with users_with
delete many documents : purge older_than prune
drop database : wipe_the
indexes list : which_indexes
insert documents : insert_these
channel text create : text_channel
webhook delete : old_webhook
reaction remove : take_back my_emoji unreact
record get : open_record show_record
field update rename : rename_the_column rename_column rename_field
comments read : feedback what_people_said
image view : look_at preview thumbnail
task create : put_on_my_list need_to_do jot todo_for
task complete : finished_with
task due date : by_friday by_monday
light : lights lamp lamps
temperature : warmer cooler heating
music play : play_some put_on_some
track skip : next_one
volume : turn_up turn_down
pods get : what_is_running
logs get : printing crashing_with
deployment scale : more_copies
issue create : report_that file_a broken
pull_request create : open_a_pr send_a_pr propose_changes
pull_request merge : land_it ship_it
user search : who_is_called
file write save : save_this store_this put_this_in_a_file
file edit : fix_the_typo typo change_line
directory list : everything_under what_is_under
screenshot : how_it_looks looks_like
form fill : fill_in_my
message send : notify inform announce ping
object table : table tables
create update file commit : commit_a commit_the commit_my
state sensor device current : temperature_in temperature_of humidity_in is_locked is_closed is_open
vendor : supplier suppliers vendor vendors
network health status : internet_connection is_the_internet online offline
monitor synthetic : uptime
sudo root : root administrator
wlan ssid wireless : wifi wi_fi
unpublish : offline take_down hide_page
wages salary pay : earn earns wage salary
quota limit usage : how_many_more quota
estimate value market : worth
transaction : expense expenses spending spent purchase
budget category : spend left_to_spend
act action element : click tap press
schedule snooze : later snooze
business place search : restaurant cafe place shop bar
remove permission revoke access : stop_sharing unshare
`;
